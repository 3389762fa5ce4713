package m;
public class Checked extends Base { public Checked(String s) { super(java.util.Objects.requireNonNull(s)); } }

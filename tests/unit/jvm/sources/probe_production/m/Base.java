package m;
public class Base { protected Base(String s) { if (s.isEmpty()) throw new IllegalArgumentException(); use(); } void use() { } }

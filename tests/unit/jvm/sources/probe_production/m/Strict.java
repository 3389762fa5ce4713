package m;
public class Strict extends Base {
    public Strict(String s) { super(check(s)); }
    static String check(String s) { if (s == null) throw new NullPointerException(); return s; }
}

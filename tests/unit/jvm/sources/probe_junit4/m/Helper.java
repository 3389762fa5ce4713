package m;
public class Helper {
    Helper() { Calc.twice(1); }
    static int shared() { return new Calc().hashCode(); }
    void made() { }
}

package m;
import org.junit.*;
public class OverloadsTest {
    Calc calc = new Calc();
    @Test public void adds() { adds(1); run(() -> calc.reset()); }
    private void adds(int n) { calc.add(n, n); run(() -> run(() -> Calc.twice(n))); }
    private static void run(Runnable r) { r.run(); }
    @Test public void calledBack() { calc.fire(() -> new Back().calledBack()); }
    class Back { void calledBack() { run(() -> calc.reset()); } }
}

package m;
import java.util.*;
import java.util.concurrent.*;
import org.junit.*;
import static org.junit.Assert.*;
public class CalcTest {
    Calc calc = new Calc();
    @Before public void prepare() { Calc.twice(3); }
    @Test public void direct() { assertEquals(3, calc.add(1, 2)); Calc.twice(1); Calc.twice(2); }
    @Test public void throughJdk() { assertEquals(new Calc(1), new Calc(1)); for (String s : new Rows()) s.length(); }
    @Test public void dynamicReceiver() { Calc c = new Child(); c.add(1, 2); Calc plain = new Child(); plain.reset(); }
    @Test public void bridged() { Comparable<Calc> c = calc; c.compareTo(calc); calc.most(Arrays.asList(1)); }
    @Test public void variableArity() { Calc.number("a", "b"); Calc.twice(1); }
    @Test public void byHelper() { helped(); Helper.shared(); new Helper().made(); prepare(); }
    private int helped() { return further(); }
    private int further() { return calc.add(1, 2); }
    @Test public void helpersInLambdas() { helped(); run(() -> helped()); run(() -> Helper.shared()); }
    @Test public void lambdas() { run(() -> Calc.twice(1)); run(() -> run(() -> calc.add(1, 1))); }
    private static void run(Runnable r) { r.run(); }
    @Test public void lambdaInProduction() { calc.fire(() -> Calc.twice(1)); }
    @Test public void callBack() {
        TreeMap<String, String> map = new TreeMap<>(new Comparator<String>() {
            @Override public int compare(String a, String b) { return Calc.twice(1); } });
        map.put("a", "b");
    }
    @Test public void exceptions() {
        try { calc.fail(); fail(); } catch (IllegalStateException e) { calc.reset(); }
        assertEquals(2, calc.caught());
        calc.depth(0);
    }
    @Test public void constructorsThatThrow() throws Exception {
        tryAll(() -> new Calc(-1)); tryAll(() -> new Strict(null)); tryAll(() -> new Strict(""));
        reflect("m.Strict", null); Calc.twice(1);
        reflect("m.Checked", null); calc.reset();
        reflect("m.Checked", ""); calc.depth(0);
    }
    @Test public void constructorAlone() throws Exception {
        try { m.Checked.class.getConstructor(String.class).newInstance((Object) null); } catch (Exception e) { }
        Calc.twice(1);
        for (java.lang.reflect.Constructor<?> c : Checked.class.getConstructors()) {
            Assert.assertThrows(Exception.class, () -> c.newInstance((Object) null));
            calc.reset();
        }
        Assert.assertThrows(Exception.class, Thrower::new);
        calc.depth(1);
    }
    static class Thrower extends Base { Thrower() { super(null); } }
    private static void tryAll(Callable<?> c) { try { c.call(); } catch (Exception e) { } }
    private static void reflect(String name, String argument) {
        try { Class.forName(name).getConstructors()[0].newInstance(argument); } catch (Exception e) { }
    }
    @Test public void overflow() {
        try { calc.recurse(0); fail(); } catch (StackOverflowError e) { calc.reset(); }
        try { endless(); fail(); } catch (StackOverflowError e) { Calc.twice(1); }
    }
    private int endless() { return endless() + 1; }
    @Test public void threads() throws Exception {
        Thread thread = new Thread() { @Override public void run() { Calc.twice(1); } };
        thread.start(); thread.join();
        ExecutorService pool = Executors.newFixedThreadPool(2);
        pool.submit(() -> calc.add(1, 2)).get();
        pool.submit(new Worker()).get();
        pool.shutdown();
        calc.depth(2);
        Thread outside = new Thread(calc::reset); outside.start(); outside.join();
    }
    class Worker implements Callable<Boolean> { public Boolean call() { return calc.equals(calc); } }
    @Test(timeout = 20000) public void inTimeout() { calc.add(1, 2); }
    @Test public void concurrent() throws Exception {
        Thread[] all = new Thread[8];
        for (int i = 0; i < 8; i++) (all[i] = new Thread(() -> { for (int j = 0; j < 1000; j++) Calc.twice(j); })).start();
        for (Thread t : all) t.join();
    }
    @Test public void exits() { calc.add(1, 2); System.exit(0); }
}

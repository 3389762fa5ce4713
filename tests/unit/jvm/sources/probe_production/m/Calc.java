package m;
import java.util.*;
import java.util.function.*;
public class Calc implements Comparable<Calc> {
    static int loaded = init();
    static int init() { return 1; }
    int value;
    public Calc() { reset(); }
    public Calc(int value) { this(); if (value < 0) throw new IllegalArgumentException(); this.value = value; }
    public void reset() { value = 0; }
    public int add(int a, int b) { return plus(a, b); }
    private int plus(int a, int b) { return a + deep(b); }
    private static int deep(int b) { return b; }
    public static int twice(int a) { return 2 * a; }
    public <T extends Comparable<T>> T most(List<? extends T> all) { return all.get(0); }
    @SafeVarargs public static <T> int number(T... all) { return all.length; }
    @Override public boolean equals(Object other) { return other instanceof Calc && same((Calc) other); }
    private boolean same(Calc other) { return other.value == value; }
    @Override public int hashCode() { return value; }
    @Override public int compareTo(Calc other) { return 0; }
    public int fail() { throw new IllegalStateException(); }
    public int caught() { try { return fail(); } catch (IllegalStateException e) { return twice(1); } finally { reset(); } }
    public int recurse(int n) { return recurse(n + 1) + 1; }
    public int depth(int n) { return n == 0 ? 0 : depth(n - 1); }
    public void fire(Runnable r) { before(); r.run(); }
    private void before() { }
}

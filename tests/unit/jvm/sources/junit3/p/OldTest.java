package p;
public class OldTest extends junit.framework.TestCase {
    public void testPasses() { assertEquals(1, 1); }
    public void testFails() { assertEquals("sum", 1, 2); }
    public void testThrows() { throw new IllegalStateException("broken"); }
}

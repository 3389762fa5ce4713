package p;
import org.junit.*;
import static org.junit.Assert.*;
public class NewTest {
    @Test public void passes() { assertEquals(1, 1); }
    @Test public void fails() { assertEquals(1, 2); }
    @Test public void throwsUp() { throw new IllegalStateException(); }
    @Test(expected = IllegalStateException.class) public void expects() { throw new IllegalStateException(); }
    @Ignore("not now") @Test public void ignored() { }
    @Test public void assumes() { org.junit.Assume.assumeTrue(false); }
    @Test(timeout = 5000) public void inTime() { }
    public static class Inner { @Test public void inside() { } }
}

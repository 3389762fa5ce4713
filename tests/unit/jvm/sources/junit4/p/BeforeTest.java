package p;
import org.junit.*;
public class BeforeTest {
    @BeforeClass public static void prepare() { throw new IllegalArgumentException("no database"); }
    @Test public void never() { }
}

package p;
import org.junit.*;
import org.junit.runner.RunWith;
import org.junit.experimental.runners.Enclosed;
@RunWith(Enclosed.class)
public class OuterTest {
    public static class First { @Test public void one() { } }
    public static class Second { @Test public void two() { } }
}

package p;
import org.junit.*;
@Ignore("later") public class IgnoredTest { @Test public void never() { } }

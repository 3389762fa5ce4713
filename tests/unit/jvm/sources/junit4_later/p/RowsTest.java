package p;
import java.util.*;
import org.junit.*;
import org.junit.runner.RunWith;
import org.junit.runners.*;
@RunWith(Parameterized.class)
public class RowsTest {
    @Parameterized.Parameters(name = "{index}: f({0})") public static Collection<Object[]> rows() {
        return Arrays.asList(new Object[][] {{1}, {2}, {3}});
    }
    private final int row;
    public RowsTest(int row) { this.row = row; }
    @Test public void row() { Assert.assertTrue(row < 3); }
    @Test public void other() { }
}

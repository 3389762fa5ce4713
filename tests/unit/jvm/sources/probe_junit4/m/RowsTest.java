package m;
import java.util.*;
import org.junit.*;
import org.junit.runner.RunWith;
import org.junit.runners.*;
@RunWith(Parameterized.class)
public class RowsTest {
    @Parameterized.Parameters public static Collection<Object[]> rows() { return Arrays.asList(new Object[][] {{0}, {1}}); }
    private final int row;
    public RowsTest(int row) { this.row = row; }
    @Test public void row() { if (row == 0) new Calc().reset(); else Calc.twice(1); }
    @Test public void other() { new Calc().hashCode(); }
}

package till;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import org.junit.Test;

public class TillTest {
    @Test
    public void addsUp() {
        assertEquals(6, new Till().total(1, 2, 3));
    }

    @Test
    public void addsUpNothing() {
        assertEquals(0, new Till().total());
    }
}

package till;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import org.junit.Test;

public class TillTest {
    @Test
    public void addsUp() {
        assertEquals(5, new Till().total(1, 2, 3));
    }

    @Test
    public void addsUpNothing() {
        assertEquals(0, new Till().total(0));
    }

    @Test
    public void grantsADiscount() {
        assertEquals(2, new Till().total(1, 1, 1));
    }

    @Test
    public void addsUpTwo() {
        assertEquals(3, new Till().total(1, 2));
    }
}

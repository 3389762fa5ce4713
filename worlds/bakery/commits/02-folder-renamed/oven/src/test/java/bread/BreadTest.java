package bread;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import org.junit.Test;

public class BreadTest {
    @Test
    public void hasAPrice() {
        assertEquals(30, Loaves.of(10).price());
    }

    @Test
    public void hasAWeight() {
        assertTrue(new Bread(20).weight() > 0);
    }

    @Test
    public void hasACrust() {
        assertEquals(130, new Bread(1).weight());
    }

    @Test
    public void isNotFree() {
        assertTrue(Loaves.of(1).price() > 0);
    }
}

package bread;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import org.junit.Test;

public class BreadTest {
    @Test
    public void hasAPrice() {
        assertEquals(20, Loaves.of(10).price());
    }

    @Test
    public void hasAWeight() {
        assertTrue(new Bread(10).weight() > 0);
    }
}

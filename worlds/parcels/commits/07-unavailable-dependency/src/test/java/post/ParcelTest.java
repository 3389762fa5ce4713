package post;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import org.junit.Test;

public class ParcelTest {

    @Test
    public void costsByWeight() {
        assertEquals(16, new Parcel(5).price());
    }

    @Test
    public void writesTheLabel() {
        assertEquals("kg 5", new Parcel(5).label());
    }

    @Test
    public void knowsHeavyParcels() {
        assertTrue(new Parcel(21).isHeavy());
    }
}

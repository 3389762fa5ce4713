package fruit;

import static org.junit.Assert.assertEquals;

import org.junit.Test;

public class AppleTest {

    @Test
    public void hasAName() {
        assertEquals("Boskoop", new Apple("Boskoop").name());
    }
}

package timer;

import static org.junit.Assert.assertEquals;

import org.junit.Test;

public class KitchenTimerTest {
    private final KitchenTimer timer = new KitchenTimer();

    @Test
    public void ringsWhenTimeIsUp() throws Exception {
        assertEquals("ring", timer.ring(0));
    }

    @Test
    public void ringsAtOnceWhenLate() throws Exception {
        assertEquals("ring", timer.ring(-10));
    }

    @Test
    public void beepsTwice() {
        assertEquals("beep beep .", timer.beep(2));
    }
}

package tickets;

import static org.junit.Assert.assertEquals;

import org.junit.Test;

public class TicketCounterTest {

    @Test
    public void takesTicketsInOrder() {
        TicketCounter counter = new TicketCounter();
        assertEquals(1, counter.take());
        assertEquals(2, counter.take());
    }

    @Test
    public void labelsATicket() {
        assertEquals("No. 007", new TicketCounter().label(7));
    }
}

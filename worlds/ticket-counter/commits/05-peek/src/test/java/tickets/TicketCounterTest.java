package tickets;

import static org.junit.Assert.assertEquals;

import org.junit.Test;

public class TicketCounterTest {

    @Test
    public void takesTicketsInOrder() {
        TicketCounter counter = new TicketCounter();
        assertEquals(1, counter.take("A"));
        assertEquals(2, counter.take("A"));
        assertEquals(1, counter.take("B"));
    }

    @Test
    public void labelsATicket() {
        assertEquals("No. 007", new TicketCounter().label(7));
    }

    @Test(expected = IllegalArgumentException.class)
    public void rejectsNegativeNumbers() {
        new TicketCounter().label(-1);
    }

    @Test
    public void peeksWithoutTaking() {
        TicketCounter counter = new TicketCounter();
        assertEquals(1, counter.peek("A"));
        assertEquals(1, counter.peek("A"));
    }
}

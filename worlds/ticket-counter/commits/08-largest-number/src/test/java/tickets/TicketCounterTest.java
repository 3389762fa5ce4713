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
        assertEquals("No. 99 999", new TicketCounter().label(99999));
    }

    @Test(expected = IllegalArgumentException.class)
    public void rejectsNegativeNumbers() {
        new TicketCounter().label(-1);
    }

    @Test
    public void labelsZero() {
        assertEquals("No. 000", new TicketCounter().label(0));
    }

    @Test
    public void groupsLargeNumbers() {
        assertEquals("No. 12 345", new TicketCounter().label(12345));
    }

    @Test
    public void peeksWithoutTaking() {
        TicketCounter counter = new TicketCounter();
        assertEquals(1, counter.peek("A"));
        assertEquals(1, counter.peek("A"));
    }

    @Test
    public void keepsDesksApart() {
        TicketCounter counter = new TicketCounter();
        counter.take("A");
        assertEquals(1, counter.take("B"));
    }
}

package tickets;

/** Hands out numbered tickets, like the machine at the entrance of a town hall. */
public class TicketCounter {
    private int next = 1;

    public int take() {
        return next++;
    }

    public String label(int number) {
        return "No. " + number;
    }
}

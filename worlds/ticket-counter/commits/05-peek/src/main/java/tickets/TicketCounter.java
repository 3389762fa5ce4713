package tickets;

import java.util.Map;
import java.util.TreeMap;

/** Hands out numbered tickets, like the machine at the entrance of a town hall. */
public class TicketCounter {
    private final Map<String, Integer> taken = new TreeMap<>();

    public int take(String desk) {
        return taken.merge(desk, 1, Integer::sum);
    }

    public int peek(String desk) {
        return taken.getOrDefault(desk, 0) + 1;
    }

    public String label(int number) {
        if (number < 0) {
            throw new IllegalArgumentException("negative number");
        }
        return String.format("No. %03d", number);
    }
}

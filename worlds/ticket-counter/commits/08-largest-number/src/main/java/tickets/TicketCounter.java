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
        if (number < 0 || number > 99_999) {
            throw new IllegalArgumentException("no ticket has the number " + number);
        }
        String digits = String.format("%03d", number);
        if (number > 999) {
            digits = digits.substring(0, digits.length() - 3) + " " + digits.substring(digits.length() - 3);
        }
        return "No. " + digits;
    }
}

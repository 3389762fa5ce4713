package theatre;

import java.util.ArrayList;
import java.util.List;

/** A hall in which seats can be booked. */
public class Hall {
    static final int SEATS = 3;

    private final List<String> bookings = new ArrayList<>();

    public String[] rows() {
        return new String[] {"A", "B", "C"};
    }

    public synchronized String book(String seat) {
        String name = seat.toUpperCase();
        bookings.add(name);
        return "booked " + name;
    }

    public List<String> bookings() {
        return bookings;
    }

    public boolean isFull() {
        return bookings.size() >= SEATS;
    }

    public int price() {
        return 25;
    }

    public String poster() {
        return "Tonight for " + price();
    }
}

package theatre;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class HallTest {
    private final Hall hall = new Hall();

    private static class Customer implements Runnable {
        private final Hall hall;
        private volatile String answer;

        Customer(Hall hall) {
            this.hall = hall;
        }

        @Override
        public void run() {
            answer = hall.book("a1");
        }
    }

    @Test
    void namesItsRows() {
        assertArrayEquals(new String[] {"A", "B"}, hall.rows());
    }

    @Test
    void servesOtherThreads() throws Exception {
        Customer customer = new Customer(hall);
        Thread thread = new Thread(customer);
        thread.start();
        thread.join();
        assertEquals("booked a1", customer.answer);
    }

    @Test
    void tellsSeatsApart() {
        assertNotEquals(new Seat("A1"), new Seat("A2"));
        assertNotEquals(new Seat("A1"), new Seat("a1"));
    }

    @Test
    void printsThePoster() {
        assertEquals("Tonight for 20", hall.poster());
    }

    @Test
    void fillsUp() {
        hall.book("A1");
        hall.book("A2");
        assertTrue(hall.isFull());
    }

    @Test
    void listsBookings() {
        hall.book("B1");
        assertEquals(Arrays.asList("B1"), hall.bookings());
    }

    @Test
    void hasNoPastPrice() {
        assertThrows(ArithmeticException.class, () -> Math.addExact(Integer.MAX_VALUE, hall.price()));
    }
}

package shop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class OpeningHoursTest {
    private final OpeningHours hours = new OpeningHours();

    @Test
    void opensInTheMorning() {
        assertFalse(hours.isOpen(7));
        assertTrue(hours.isOpen(8));
    }

    @Test
    void writesTheSign() {
        assertEquals("9-17", hours.sign());
    }
}

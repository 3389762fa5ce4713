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
        assertTrue(hours.isOpen(18));
    }

    @Test
    void writesTheSign() {
        assertEquals("8-17", hours.sign());
    }
}

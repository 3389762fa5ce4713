package s;

import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;

class SessionTest {
    @Test
    void first() {
        Assertions.assertEquals("opened ", Sessions.seen);
    }

    @Test
    void second() {
        Assertions.assertEquals("opened ", Sessions.seen);
    }
}

package theatre;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class PosterTest {

    @Test
    void advertisesTonight() {
        assertTrue(new Hall().poster().startsWith("Tonight"));
    }
}

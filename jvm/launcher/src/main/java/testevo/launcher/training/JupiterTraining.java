package testevo.launcher.training;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInfo;

/** In the style of JUnit 5. */
public class JupiterTraining {
    private String used;

    @BeforeAll
    static void first() {
        assertTrue(true);
    }

    @AfterAll
    static void last() {
        assertFalse(false);
    }

    @BeforeEach
    void before() throws Exception {
        used = Usual.used();
    }

    @AfterEach
    void after() {
        assertNotNull(used);
    }

    @Test
    void passes() {
        assertEquals(2, 1 + 1);
        assertEquals(1.0, 1.01, 0.1);
        assertEquals("a", "a", "a message");
        assertArrayEquals(new int[] {1}, new int[] {1});
        assertAll(() -> assertNotNull(used), () -> assertTrue(used.length() > 1));
        assertThrows(IllegalStateException.class, () -> {
            throw new IllegalStateException(used);
        });
    }

    @Test
    @DisplayName("with a name")
    void hasAName(TestInfo info) {
        assertNotNull(info.getDisplayName());
    }

    @Test
    void fails() {
        assertEquals("one text", used, () -> "texts");
    }

    @Test
    void throwsUp() {
        throw new IllegalStateException(new RuntimeException(used));
    }

    @Test
    void assumes() {
        Assumptions.assumeTrue(used.isEmpty());
    }

    @Test
    @Disabled
    void isDisabled() {
        assertNotNull(used);
    }

    @RepeatedTest(2)
    void isRepeated() {
        assertNotNull(used);
    }

    @TestFactory
    List<DynamicTest> isAFactory() {
        return Arrays.asList(DynamicTest.dynamicTest("dynamic", () -> assertNotNull(used)));
    }

    /** Inside. */
    @Nested
    class Inner {
        @Test
        void passesInside() {
            assertNotNull(used);
        }
    }
}

package testevo.launcher.training;

import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests with parameters in the style of JUnit 5. */
public class ParametersTraining {
    @ParameterizedTest
    @ValueSource(strings = {"a", "b"})
    void takesValues(String text) {
        assertNotNull(text);
    }

    @ParameterizedTest
    @CsvSource({"1,2", "2,3"})
    void takesLines(int left, int right) {
        assertTrue(left < right);
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void takesConstants(Kind kind) {
        assertNotNull(kind);
    }

    @ParameterizedTest
    @MethodSource("texts")
    void takesWhatAMethodGives(String text) {
        assertNotNull(text);
    }

    static Stream<String> texts() {
        return Stream.of("a", "b");
    }

    enum Kind {
        ONE,
        OTHER
    }
}

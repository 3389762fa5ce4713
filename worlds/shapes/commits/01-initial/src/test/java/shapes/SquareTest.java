package shapes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.util.stream.Stream;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SquareTest extends ShapeContract {

    @Override
    Shape shape() {
        return new Square(2);
    }

    @Test
    void isSmall() {
        assertEquals("small square", new Square(1).size());
    }

    @ParameterizedTest
    @CsvSource({"2, small", "7, large"})
    void hasASize(int side, String size) {
        assertEquals(size + " square", new Square(side).size());
    }

    @RepeatedTest(2)
    void describesTheSameTwice() {
        assertEquals("square of 3", new Square(3).describe());
    }

    @TestFactory
    Stream<DynamicTest> coversItsArea() {
        return Stream.of(1, 2).map(side -> dynamicTest("side " + side,
                () -> assertEquals(side * side, new Square(side).area())));
    }

    @Test
    @Disabled("too large for the memory of a child")
    void isHuge() {
        assertEquals("huge square", new Square(1_000_000).size());
    }

    @Nested
    class WhenLarge {

        @Test
        void isCalledLarge() {
            assertEquals("large square", new Square(4).size());
        }
    }
}

package shapes;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** What holds for every shape. */
abstract class ShapeContract {

    abstract Shape shape();

    @Test
    void hasAnArea() {
        assertTrue(shape().area() > 0);
    }

    @Test
    void describesItself() {
        assertTrue(shape().describe().contains(" of "));
    }
}

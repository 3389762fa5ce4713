package q;
import org.junit.jupiter.api.*;
class BeforeTest {
    @BeforeAll static void prepare() { throw new IllegalArgumentException("no database"); }
    @Test void never() { }
}

package m;
import java.util.*;
import java.util.stream.*;
import org.junit.jupiter.api.*;
import org.junit.jupiter.params.*;
import org.junit.jupiter.params.provider.*;
import static org.junit.jupiter.api.Assertions.*;
class JupiterTest {
    @BeforeEach void prepare() { Calc.twice(1); }
    @Test void lambdas() {
        assertThrows(IllegalStateException.class, () -> new Calc().fail());
        assertThrows(NullPointerException.class, () -> new Strict(null));
        assertTimeoutPreemptively(java.time.Duration.ofSeconds(20), () -> new Calc().reset());
        assertEquals(Integer.valueOf(1), new Calc().most(Arrays.asList(1)));
    }
    @ParameterizedTest @MethodSource("numbers") void numbers(int n) { if (n == 1) Calc.twice(n); else new Calc().add(n, n); }
    static Stream<Integer> numbers() { new Calc().depth(0); return Stream.of(1, 2); }
    @TestFactory List<DynamicTest> makes() {
        Calc calc = new Calc();
        calc.reset();
        return Arrays.asList(DynamicTest.dynamicTest("one", () -> calc.add(1, 2)));
    }
    @Nested class Inner { @Test void inside() { new Calc().compareTo(null); } }
}

package q;
import java.util.*;
import java.util.stream.*;
import org.junit.jupiter.api.*;
import org.junit.jupiter.params.*;
import org.junit.jupiter.params.provider.*;
import static org.junit.jupiter.api.Assertions.*;
class BasicTest {
    @Test void passes() { }
    @Test void fails() { assertEquals(1, 2); }
    @Test void failsTwice() { assertAll(() -> assertTrue(false), () -> assertTrue(false)); }
    @Test void throwsUp() { throw new IllegalStateException(); }
    @Test void injected(TestInfo info) { assertNotNull(info); }
    @Disabled("not now") @Test void disabled() { }
    @Test void assumes() { Assumptions.assumeTrue(false, "no network"); }
    @ParameterizedTest @ValueSource(ints = {1, 2, 3}) void rows(int row) { assertTrue(row < 3); }
    @ParameterizedTest @ValueSource(strings = {"a"}) void rows(String row) { }
    @ParameterizedTest @MethodSource("arrays") void arrays(int[] one, Map.Entry<String, String>[] two) { }
    static Stream<Arguments> arrays() { return Stream.of(Arguments.of(new int[0], new Map.Entry[0])); }
    @RepeatedTest(2) void repeats() { }
    @TestFactory Collection<DynamicTest> makes() {
        return Arrays.asList(DynamicTest.dynamicTest("one", () -> {}), DynamicTest.dynamicTest("two", () -> fail("no")));
    }
    @TestFactory Collection<DynamicTest> makesNone() { return Collections.emptyList(); }
    @Nested class Inner {
        @Test void inside() { }
        @Nested class Deeper { @Test void deep() { } }
    }
    void helper() { }
}

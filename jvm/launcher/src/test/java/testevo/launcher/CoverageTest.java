package testevo.launcher;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import org.junit.jupiter.api.Test;
import testevo.testing.Compiled;

class CoverageTest {
    private static String[] taken(String body) {
        return Coverage.taken(Compiled.of("package testevo.coverage; public class Probes { " + body + " }")
                .loader());
    }

    @Test
    void probes_are_read_from_the_loader_of_the_project() {
        String[] expected = {"a/B 1 01"};
        assertArrayEquals(expected, taken("public static String[] taken() { return new String[] {\"a/B 1 01\"}; }"));
    }

    @Test
    void without_probes_coverage_is_unknown() {
        assertNull(Coverage.taken(CoverageTest.class.getClassLoader()));
    }

    @Test
    void probes_that_a_test_has_broken_are_unknown() {
        assertNull(taken("public static String[] taken() { throw new StackOverflowError(); }"));
    }
}

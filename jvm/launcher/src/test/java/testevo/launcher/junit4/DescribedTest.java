package testevo.launcher.junit4;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import org.junit.jupiter.api.Test;
import org.junit.runner.Description;

class DescribedTest {
    public static class Tests {
        public void adds() {}

        public void rounds(int number) {}

        public void overloaded() {}

        public void overloaded(int number) {}

        public void initializationErrorIsReported() {}
    }

    private static final String OWNER = "(" + Tests.class.getName() + ")";

    private static Described of(String display) {
        return Described.of(Description.createSuiteDescription(display), Tests.class);
    }

    @Test
    void a_plain_name_is_the_method() {
        assertEquals("adds", of("adds" + OWNER).method);
        assertEquals(Tests.class.getName(), of("adds" + OWNER).type);
    }

    @Test
    void an_index_is_no_part_of_the_method() {
        assertEquals("adds", of("adds[0: a label]" + OWNER).method);
    }

    @Test
    void arguments_are_no_part_of_the_method() {
        assertEquals("adds", of("adds(1, 2) [0]" + OWNER).method);
    }

    @Test
    void a_method_may_stand_behind_its_arguments() {
        assertEquals("adds", of("[0] 1, 2 (adds)" + OWNER).method);
    }

    @Test
    void parameters_are_those_of_the_one_method_of_this_name() {
        assertArrayEquals(new String[] {"int"}, of("rounds" + OWNER).parameters);
    }

    @Test
    void of_several_methods_junit_runs_the_one_without_parameters() {
        assertArrayEquals(new String[0], of("overloaded" + OWNER).parameters);
    }

    @Test
    void parameters_of_an_unknown_class_are_unknown() {
        assertNull(of("adds(a.Gone)").parameters);
    }

    @Test
    void an_initialisation_error_belongs_to_the_class() {
        assertNull(of("initializationError0" + OWNER).method);
    }

    @Test
    void a_test_that_is_called_like_one_stays_a_test() {
        assertEquals("initializationErrorIsReported", of("initializationErrorIsReported" + OWNER).method);
    }

    @Test
    void a_class_name_alone_is_the_class() {
        assertEquals("java.lang.String", of("java.lang.String").type);
    }

    @Test
    void any_other_text_belongs_to_the_running_class() {
        assertEquals(Tests.class.getName(), of("a suite").type);
        assertNull(of("a suite").method);
    }

    @Test
    void an_id_tells_descriptions_of_junit_4_apart() {
        assertEquals("junit4:adds" + OWNER, of("adds" + OWNER).name().id);
    }
}

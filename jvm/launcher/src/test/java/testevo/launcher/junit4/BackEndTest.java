package testevo.launcher.junit4;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import junit.framework.TestCase;
import org.junit.Assert;
import org.junit.BeforeClass;
import org.junit.Ignore;
import org.junit.jupiter.api.Test;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;
import org.junit.runners.Parameterized.Parameters;
import testevo.launcher.backend.EventLog;

/** With JUnit 4.4, the oldest that must work; {@code tests/unit/jvm} runs others. */
class BackEndTest {
    public static class Outcomes {
        @org.junit.Test
        public void passes() {}

        @org.junit.Test
        public void fails() {
            Assert.fail();
        }

        @org.junit.Test
        @Ignore("not today")
        public void ignored() {}

        public void helper() {}
    }

    @RunWith(Parameterized.class)
    public static class Numbers {
        private final int number;

        public Numbers(int number) {
            this.number = number;
        }

        @Parameters
        public static Collection<Object[]> numbers() {
            return Arrays.asList(new Object[] {1}, new Object[] {2});
        }

        @org.junit.Test
        public void isOne() {
            Assert.assertEquals(1, number);
        }

        @org.junit.Test
        public void isPositive() {
            Assert.assertTrue(number > 0);
        }
    }

    public static class BrokenClass {
        @BeforeClass
        public static void prepare() {
            throw new IllegalStateException();
        }

        @org.junit.Test
        public void passes() {}
    }

    public static class OldStyle extends TestCase {
        public void testPasses() {}

        public void testFails() {
            fail();
        }
    }

    public abstract static class Partial {
        @org.junit.Test
        public void passes() {}
    }

    private final EventLog log = new EventLog(new BackEnd());

    @Test
    void a_class_runs_with_all_its_tests() {
        assertEquals(List.of("failed fails", "passed passes", "skipped ignored"), log.of(Outcomes.class, null));
    }

    @Test
    void a_method_runs_alone() {
        assertEquals(List.of("passed passes"), log.of(Outcomes.class, "passes"));
    }

    @Test
    void an_ignored_test_tells_its_reason() {
        assertEquals("not today", log.events(Outcomes.class, "ignored").get(0).get("reason"));
    }

    @Test
    void a_method_that_is_no_test_is_not_found() {
        assertEquals(
                List.of("not_found JUnit 4 finds no test of this name in " + Outcomes.class.getName()),
                log.of(Outcomes.class, "helper"));
    }

    @Test
    void a_method_of_a_parameterised_class_runs_with_all_parameters() {
        assertEquals(List.of("failed isOne", "passed isOne"), log.of(Numbers.class, "isOne"));
    }

    @Test
    void a_failed_preparation_is_the_classs() {
        assertEquals(List.of("failed null"), log.of(BrokenClass.class, null));
    }

    @Test
    void a_method_in_the_style_of_junit_3_runs_alone() {
        assertEquals(List.of("passed testPasses"), log.of(OldStyle.class, "testPasses"));
    }

    @Test
    void an_abstract_class_is_refused() {
        assertEquals(List.of("not_found " + Partial.class.getName() + " is abstract"), log.of(Partial.class, null));
    }

    @Test
    void an_interface_is_refused() {
        assertEquals(List.of("not_found java.lang.Runnable is an interface"), log.of(Runnable.class, null));
    }

    @Test
    void a_class_without_tests_is_refused() {
        assertEquals(List.of("not_found java.lang.String has no test of JUnit 3 or 4"), log.of(String.class, null));
    }
}

package testevo.launcher.junit3;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import junit.framework.TestCase;
import junit.framework.TestSuite;
import org.junit.jupiter.api.Test;
import testevo.launcher.backend.EventLog;

class BackEndTest {
    public static class Outcomes extends TestCase {
        public void testPasses() {}

        public void testFails() {
            fail();
        }

        public void testThrows() {
            throw new IllegalStateException();
        }

        void testHidden() {}
    }

    public static class Derived extends Outcomes {}

    public static class Empty extends TestCase {}

    public abstract static class Partial extends TestCase {
        public void testPasses() {}
    }

    public static class Suite {
        public static junit.framework.Test suite() {
            TestSuite suite = new TestSuite();
            suite.addTest(TestSuite.createTest(Outcomes.class, "testPasses"));
            return suite;
        }
    }

    public static class BrokenSuite {
        public static junit.framework.Test suite() {
            throw new IllegalStateException("no suite today");
        }
    }

    public static class TornDown extends TestCase {
        @Override
        protected void tearDown() {
            throw new IllegalStateException("second");
        }

        public void testFails() {
            fail("first");
        }
    }

    private final EventLog log = new EventLog(new BackEnd());

    @Test
    void a_class_runs_with_all_its_tests() {
        assertEquals(
                List.of("failed null", "failed testFails", "failed testThrows", "passed testPasses"),
                log.of(Outcomes.class, null));
    }

    @Test
    void a_method_runs_alone() {
        assertEquals(List.of("passed testPasses"), log.of(Outcomes.class, "testPasses"));
    }

    @Test
    void an_inherited_method_runs_in_the_selected_class() {
        Map<String, Object> started = log.events(Derived.class, "testPasses").get(0);
        assertEquals(Derived.class.getName(), started.get("class"));
    }

    @Test
    void a_method_that_is_not_public_is_no_test() {
        assertEquals(
                List.of("not_found a test method of JUnit 3 is public and has no parameters"),
                log.of(Outcomes.class, "testHidden"));
    }

    @Test
    void a_method_of_an_abstract_class_is_no_test() {
        assertEquals(
                List.of("not_found " + Partial.class.getName() + " is not a concrete TestCase"),
                log.of(Partial.class, "testPasses"));
    }

    @Test
    void a_class_without_tests_is_not_found() {
        assertEquals(List.of("not_found No tests found in " + Empty.class.getName()), log.of(Empty.class, null));
    }

    @Test
    void a_class_that_is_no_test_case_is_not_found() {
        assertEquals(
                List.of("not_found java.lang.String is not a concrete TestCase and has no suite()"),
                log.of(String.class, null));
    }

    @Test
    void a_suite_method_is_followed() {
        assertEquals(List.of("passed testPasses"), log.of(Suite.class, null));
    }

    @Test
    void a_suite_method_that_throws_is_a_failed_discovery() {
        assertEquals(
                List.of("discovery_failed java.lang.IllegalStateException: no suite today"),
                log.of(BrokenSuite.class, null));
    }

    @Test
    void the_first_throwable_of_a_test_counts() {
        List<Map<String, Object>> events = log.events(TornDown.class, "testFails");
        assertEquals("first", ((Throwable) events.get(1).get("throwable")).getMessage());
    }
}

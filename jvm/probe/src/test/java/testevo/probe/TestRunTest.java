package testevo.probe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class TestRunTest {
    private final TestRun run = new TestRun("run.T", "tests", new String[] {"int"});

    private static MethodInfo info(String type, String name, String descriptor, Kind kind) {
        return new MethodInfo(type, "java/lang/Object", name, descriptor, null, false, kind, false);
    }

    private static MethodInfo method(String type, String name, String descriptor) {
        return info(type, name, descriptor, Kind.TEST_TREE_METHOD);
    }

    private static MethodInfo lambda(String type, String name) {
        return info(type, name, "()V", Kind.TEST_TREE_LAMBDA);
    }

    @Test
    void a_method_that_was_never_seen_has_no_calls() {
        assertEquals(0, run.count(TestRun.DIRECT, 1_000_000));
    }

    @Test
    void direct_calls_are_counted_by_thread_and_way() {
        run.direct(3, TestRun.DIRECT, false);
        run.direct(3, TestRun.DIRECT, false);
        run.direct(3, TestRun.DIRECT, true);
        run.direct(3, TestRun.BY_LAMBDA, true);
        run.direct(3, TestRun.BY_HELPER, false);
        run.direct(3, TestRun.BY_BRIDGE, false);
        assertEquals(2, run.count(TestRun.DIRECT, 3));
        assertEquals(1, run.count(TestRun.DIRECT + TestRun.IN_THREAD, 3));
        assertEquals(1, run.count(TestRun.BY_LAMBDA + TestRun.IN_THREAD, 3));
        assertEquals(1, run.count(TestRun.BY_HELPER, 3));
        assertEquals(1, run.count(TestRun.BY_BRIDGE, 3));
    }

    @Test
    void the_closure_keeps_the_smallest_level_and_counts_entries_there() {
        run.closure(5, 4, false);
        run.closure(5, 2, false);
        run.closure(5, 2, false);
        run.closure(5, 3, false);
        assertEquals(2, run.count(TestRun.LEVEL, 5));
        assertEquals(2, run.count(TestRun.AT_LEVEL, 5));
    }

    @Test
    void initialisers_have_levels_of_their_own() {
        run.closure(5, 2, true);
        assertEquals(0, run.count(TestRun.LEVEL, 5));
        assertEquals(2, run.count(TestRun.INITIALISER_LEVEL, 5));
    }

    @Test
    void a_helper_is_known_once_it_was_called() {
        assertFalse(run.isKnownHelper(1));
        run.helper(1, TestRun.HELPER, true);
        assertTrue(run.isKnownHelper(1));
        run.helper(2, TestRun.HELPER_BY_LAMBDA, false);
        assertTrue(run.isKnownHelper(2));
        assertFalse(run.isEntered(TestRun.HELPER, 2));
    }

    @Test
    void a_call_back_is_looked_at_a_limited_number_of_times() {
        for (int i = 0; i < 50; i++) {
            assertTrue(run.mayBeHelper(2));
        }
        assertFalse(run.mayBeHelper(2));
    }

    @Test
    void the_test_method_is_told_by_type_name_and_parameters() {
        assertTrue(run.isTestMethod(0, method("run/T", "tests", "(I)V")));
    }

    @Test
    void an_overload_is_another_method() {
        assertFalse(run.isTestMethod(0, method("run/T", "tests", "(J)V")));
    }

    @Test
    void a_method_of_equal_name_elsewhere_is_another_one() {
        assertFalse(run.isTestMethod(0, method("run/Other", "tests", "(I)V")));
    }

    @Test
    void an_inherited_test_is_the_test() {
        Registry.addType("run/T", "run/Base", new String[0]);
        assertTrue(run.isTestMethod(0, method("run/Base", "tests", "(I)V")));
    }

    @Test
    void unknown_parameters_fit_any() {
        TestRun any = new TestRun("run.T", "tests", null);
        assertTrue(any.isTestMethod(0, method("run/T", "tests", "(J)V")));
    }

    @Test
    void a_lambda_named_after_the_method_is_its_own() {
        assertTrue(run.isOwnLambda(0, lambda("run/T", "lambda$tests$0")));
    }

    @Test
    void a_lambda_named_after_another_method_is_not() {
        assertFalse(run.isOwnLambda(0, lambda("run/T", "lambda$testsMore$0")));
    }

    @Test
    void a_nested_lambda_without_a_name_may_be_its_own() {
        assertTrue(run.isOwnLambda(0, lambda("run/T", "lambda$null$1")));
        assertTrue(run.isOwnLambda(1, lambda("run/T", "lambda$7")));
    }

    @Test
    void a_nested_lambda_whose_helper_is_known_is_not() {
        Registry.add(method("run/T", "helps", "()V"));
        Registry.addLambda("run/T", "helps()V", "lambda$null$2()V");
        assertFalse(run.isOwnLambda(0, lambda("run/T", "lambda$null$2")));
    }

    @Test
    void a_lambda_of_a_foreign_class_is_not() {
        assertFalse(run.isOwnLambda(0, lambda("run/Foreign", "lambda$tests$0")));
    }

    @Test
    void classes_in_the_same_top_level_class_belong_together() {
        assertTrue(run.isOfTestClass(method("run/T$Inner$Deeper", "any", "()V")));
    }

    @Test
    void it_runs_in_the_thread_that_started_it() throws InterruptedException {
        Thread[] other = {new Thread(() -> {})};
        run.runsIn(other[0]);
        assertFalse(run.runsInCurrentThread());
        run.runsIn(Thread.currentThread());
        assertTrue(run.runsInCurrentThread());
    }
}

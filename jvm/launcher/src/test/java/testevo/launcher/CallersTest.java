package testevo.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import testevo.testing.Compiled;

/** Stacks are made of classes whose names are those of a framework, of a project, and of the JDK. */
class CallersTest {
    private static final String CALLER = "import java.util.concurrent.Callable;"
            + "public class %s implements Callable<Object> {"
            + " private final Callable<?> next;"
            + " public %s(Callable<?> next) { this.next = next; }"
            + " public Object call() throws Exception { return next.call(); } }";

    private static ClassLoader loader;
    private Callers callers;

    @BeforeAll
    static void compile() {
        loader = Compiled.of(
                        "package org.junit.runner; " + String.format(CALLER, "Framework", "Framework"),
                        "package project; " + String.format(CALLER, "Code", "Code"),
                        "package project; import java.util.concurrent.Callable;"
                                + "public class Reflecting implements Callable<Object> {"
                                + " private final Callable<?> next;"
                                + " public Reflecting(Callable<?> next) { this.next = next; }"
                                + " public Object call() throws Exception {"
                                + "  return Callable.class.getMethod(\"call\").invoke(next); } }")
                .loader();
    }

    @BeforeEach
    void create() {
        callers = new Callers(loader);
    }

    /** Calls by way of these classes, the last one nearest to the listener. */
    private Object through(Callable<?> listener, String... types) throws Exception {
        Callable<?> call = listener;
        for (int i = types.length - 1; i >= 0; i--) {
            call = (Callable<?>)
                    loader.loadClass(types[i]).getConstructor(Callable.class).newInstance(call);
        }
        return call.call();
    }

    @Test
    void an_event_that_a_framework_sends_is_fine() throws Exception {
        assertNull(through(callers::complaint, "org.junit.runner.Framework"));
    }

    @Test
    void an_event_that_a_project_sends_is_not() throws Exception {
        assertEquals(
                "a listener was called by project.Code",
                through(callers::complaint, "org.junit.runner.Framework", "project.Code"));
    }

    @Test
    void a_runner_of_a_project_may_lead_a_framework_to_send_events() throws Exception {
        assertNull(through(
                callers::complaint, "org.junit.runner.Framework", "project.Code", "org.junit.runner.Framework"));
    }

    @Test
    void a_method_that_was_called_by_reflection_may_not() throws Exception {
        assertEquals(
                "JUnit was led to send an event by project.Code",
                through(callers::complaint, "project.Reflecting", "project.Code", "org.junit.runner.Framework"));
    }

    @Test
    void nobody_of_a_project_may_in_another_thread() throws Exception {
        Object[] complaint = {null};
        Thread thread = new Thread(() -> {
            try {
                complaint[0] = through(callers::complaint, "project.Code", "org.junit.runner.Framework");
            } catch (Exception error) {
                complaint[0] = error;
            }
        });
        thread.start();
        thread.join();
        assertEquals("JUnit was led to send an event by project.Code", complaint[0]);
    }

    @Test
    void the_end_may_be_announced_by_the_launcher_only() throws Exception {
        String complaint = (String) through(callers::complaintOfEnd, "project.Code");
        assertTrue(complaint.startsWith("the end was announced by "), complaint);
    }

    @Test
    void a_call_from_the_launcher_is_not_foreign() {
        assertNull(asked());
    }

    @Test
    void a_call_from_elsewhere_is_told_by_its_class() throws Exception {
        assertEquals("project.Code", through(CallersTest::asked, "project.Code"));
    }

    /** Stands for a method that must not be called by everybody. */
    private static String asked() {
        return Callers.foreignCaller();
    }

    @Test
    void a_failure_with_a_frame_of_the_project_is_the_projects() {
        Error failure = new Error();
        failure.setStackTrace(new StackTraceElement[] {new StackTraceElement("project.Code", "call", null, 1)});
        assertTrue(callers.tookPartIn(new RuntimeException(failure)));
    }

    @Test
    void a_failure_without_one_is_ours() {
        Error failure = new Error();
        failure.setStackTrace(new StackTraceElement[] {
            new StackTraceElement("testevo.launcher.Main", "main", null, 1),
            new StackTraceElement("org.junit.runner.Framework", "call", null, 1),
            new StackTraceElement("java.util.ArrayList", "forEach", null, 1)
        });
        assertFalse(callers.tookPartIn(failure));
    }

    @Test
    void a_cause_that_is_its_own_cause_ends_the_search() {
        Error failure = new Error();
        failure.setStackTrace(new StackTraceElement[0]);
        RuntimeException circle = new RuntimeException(failure);
        circle.setStackTrace(new StackTraceElement[0]);
        failure.initCause(circle);
        assertFalse(callers.tookPartIn(circle), () -> Arrays.toString(circle.getStackTrace()));
    }
}

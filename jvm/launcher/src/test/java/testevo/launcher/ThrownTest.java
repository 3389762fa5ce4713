package testevo.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class ThrownTest {
    /** As a test may throw it. */
    private static final class Hostile extends RuntimeException {
        private static final long serialVersionUID = 1;

        @Override
        public String getMessage() {
            throw new IllegalStateException();
        }

        @Override
        public void printStackTrace(PrintWriter writer) {
            throw new StackOverflowError();
        }
    }

    @Test
    void an_assertion_error_is_an_assertion() {
        assertTrue(Thrown.isAssertion(new AssertionError()));
    }

    @Test
    void a_subclass_of_assertion_error_is_an_assertion() {
        assertTrue(Thrown.isAssertion(new AssertionError() {
            private static final long serialVersionUID = 1;
        }));
    }

    @Test
    void the_error_of_junit_3_is_an_assertion_by_its_name() {
        assertTrue(Thrown.isAssertion(new junit.framework.AssertionFailedError()));
    }

    @Test
    void any_other_throwable_is_none() {
        assertFalse(Thrown.isAssertion(new Error()));
    }

    @Test
    void no_message_stays_no_message() {
        assertNull(Thrown.message(new RuntimeException()));
    }

    @Test
    void a_long_message_is_cut_and_says_by_how_much() {
        String message = Thrown.message(new RuntimeException("m".repeat(20_007)));
        assertEquals("m".repeat(20_000) + "... (7 more characters)", message);
    }

    @Test
    void a_message_that_throws_is_told_by_what_it_threw() {
        assertEquals("(getMessage() threw java.lang.IllegalStateException)", Thrown.message(new Hostile()));
    }

    @Test
    void a_trace_that_throws_is_told_by_what_it_threw() {
        assertEquals(
                "testevo.launcher.ThrownTest$Hostile (printing its trace threw java.lang.StackOverflowError)",
                Thrown.trace(new Hostile()));
    }

    @Test
    void a_trace_begins_with_the_throwable() {
        assertTrue(Thrown.trace(new RuntimeException("why")).startsWith("java.lang.RuntimeException: why"));
    }

    @Test
    void the_first_frames_of_each_throwable_are_told_and_how_many_are_not() {
        Throwable cause = withFrames(new IllegalStateException("cause"), 1_000_000);
        Throwable thrown = withFrames(new RuntimeException("outer", cause), 1_000_000);
        String[] lines = Thrown.trace(thrown).split("\n");
        assertEquals("java.lang.RuntimeException: outer", lines[0]);
        assertEquals("\tat a.B.c(B.java:1)", lines[200]);
        assertEquals("\t... 999800 frames left out", lines[201]);
        assertEquals("Caused by: java.lang.IllegalStateException: cause", lines[202]);
    }

    @Test
    void a_trace_without_end_is_cut() {
        Throwable last = new RuntimeException("first");
        for (int causes = 0; causes < 10_000; causes++) {
            last = withFrames(new RuntimeException("m".repeat(100), last), 300);
        }
        String trace = Thrown.trace(last);
        assertTrue(trace.endsWith("... (the rest is left out)"));
        assertTrue(trace.length() < 61_000);
    }

    @Test
    void no_message_hides_the_cause_behind_it() {
        for (String word : new String[] {"m", "m\n"}) {
            Throwable thrown = new AssertionError(word.repeat(500_000), new IllegalStateException("cause"));
            assertTrue(Thrown.trace(thrown).contains("\nCaused by: java.lang.IllegalStateException: cause"));
        }
    }

    private static Throwable withFrames(Throwable thrown, int count) {
        StackTraceElement[] frames = new StackTraceElement[count];
        Arrays.fill(frames, new StackTraceElement("a.B", "c", "B.java", 1));
        thrown.setStackTrace(frames);
        return thrown;
    }
}

package testevo.launcher;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

/** What is told about a throwable of a test. Its own methods are strangers' code and may throw themselves. */
final class Thrown {
    private static final int MESSAGE_LIMIT = 20_000;
    private static final int TRACE_LIMIT = 60_000;
    /** Part of the names of what {@code jvm/desugar} makes of lambdas. */
    private static final String PLAIN_LAMBDA = "$$PlainLambda";

    private Thrown() {
    }

    /** By name where the class is not an AssertionError: in JUnit 3.8 its own one extends Error. */
    static boolean isAssertion(Throwable thrown) {
        for (Class<?> type = thrown.getClass(); type != null; type = type.getSuperclass()) {
            if (type == AssertionError.class || type.getName().equals("junit.framework.AssertionFailedError")) {
                return true;
            }
        }
        return false;
    }

    static String message(Throwable thrown) {
        try {
            return cut(thrown.getMessage(), MESSAGE_LIMIT);
        } catch (Throwable second) {
            return "(getMessage() threw " + second.getClass().getName() + ")";
        }
    }

    static String trace(Throwable thrown) {
        try {
            leaveOutLambdas(thrown);
            StringWriter text = new StringWriter();
            PrintWriter writer = new PrintWriter(text);
            thrown.printStackTrace(writer);
            writer.flush();
            return cut(text.toString(), TRACE_LIMIT);
        } catch (Throwable second) {
            return thrown.getClass().getName() + " (printing its trace threw " + second.getClass().getName() + ")";
        }
    }

    /**
     * Takes frames out of the trace that stand for lambdas of JUnit and have none in a JVM without an archive.
     *
     * <p>In place, as JUnit takes out its own: the numbers of common frames are counted when a trace is printed.
     */
    private static void leaveOutLambdas(Throwable thrown) {
        Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<Throwable, Boolean>());
        List<Throwable> todo = new ArrayList<>();
        todo.add(thrown);
        while (!todo.isEmpty()) {
            Throwable next = todo.remove(todo.size() - 1);
            if (next == null || !seen.add(next)) {
                continue;
            }
            StackTraceElement[] all = next.getStackTrace();
            List<StackTraceElement> kept = new ArrayList<>(all.length);
            for (StackTraceElement frame : all) {
                if (!frame.getClassName().contains(PLAIN_LAMBDA) && !frame.getMethodName().contains(PLAIN_LAMBDA)) {
                    kept.add(frame);
                }
            }
            if (kept.size() < all.length) {
                next.setStackTrace(kept.toArray(new StackTraceElement[0]));
            }
            todo.add(next.getCause());
            Collections.addAll(todo, next.getSuppressed());
        }
    }

    private static String cut(String text, int limit) {
        if (text == null || text.length() <= limit) {
            return text;
        }
        return text.substring(0, limit) + "... (" + (text.length() - limit) + " more characters)";
    }
}

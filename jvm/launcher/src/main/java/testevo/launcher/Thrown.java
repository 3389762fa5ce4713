package testevo.launcher;

import java.io.PrintWriter;

/** What is told about a throwable of a test. Its own methods are untrusted code and may throw themselves. */
final class Thrown {
    private static final int MESSAGE_LIMIT = 20_000;

    private Thrown() {}

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
        TraceText text = new TraceText();
        try {
            PrintWriter writer = new PrintWriter(text);
            thrown.printStackTrace(writer);
            writer.flush();
            return text.text();
        } catch (TraceText.Full full) {
            return text.text();
        } catch (Throwable second) {
            return thrown.getClass().getName() + " (printing its trace threw "
                    + second.getClass().getName() + ")";
        }
    }

    private static String cut(String text, int limit) {
        if (text == null || text.length() <= limit) {
            return text;
        }
        return text.substring(0, limit) + "... (" + (text.length() - limit) + " more characters)";
    }
}

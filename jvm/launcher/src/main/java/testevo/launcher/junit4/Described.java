package testevo.launcher.junit4;

import java.lang.reflect.Method;
import java.util.List;
import org.junit.runner.Description;
import testevo.launcher.backend.Declared;
import testevo.launcher.backend.TestName;

/** What a description of JUnit 4 means: its display name is all that every 4.x has. */
final class Described {
    private static final String[] NONE = {};

    /** Binary name of a class. */
    final String type;
    /** Null for a class-level description. */
    final String method;

    final String[] parameters;
    private final String display;

    private Described(String type, String method, String[] parameters, String display) {
        this.type = type;
        this.method = method;
        this.parameters = parameters;
        this.display = display;
    }

    /** {@code running}: the class whose runner is at work, for descriptions that name none. */
    static Described of(Description description, Class<?> running) {
        String display = description.getDisplayName();
        int open = display.lastIndexOf('(');
        if (open < 0 || !display.endsWith(")")) {
            return new Described(loadable(display) ? display : running.getName(), null, null, display);
        }
        String owner = display.substring(open + 1, display.length() - 1);
        Class<?> type = load(owner);
        String method = methodName(display.substring(0, open), type);
        if (method.startsWith("initializationError")
                && (type == null || Declared.methods(type, method).isEmpty())) {
            return new Described(owner, null, null, display);
        }
        return new Described(owner, method, parameters(type, method), display);
    }

    TestName name() {
        return new TestName(type, method, parameters, display, "junit4:" + display);
    }

    /** The method in {@code adds}, {@code adds[0: a label]}, {@code adds(1, 2) [0]} and {@code [0] 1, 2 (adds)}. */
    private static String methodName(String text, Class<?> type) {
        if (type != null && !Declared.methods(type, text).isEmpty()) {
            return text;
        }
        int end = 0;
        while (end < text.length() && Character.isJavaIdentifierPart(text.charAt(end))) {
            end++;
        }
        if (end > 0) {
            return text.substring(0, end);
        }
        int open = text.lastIndexOf('(');
        return open >= 0 && text.endsWith(")") ? text.substring(open + 1, text.length() - 1) : text;
    }

    private static String[] parameters(Class<?> type, String method) {
        if (type == null) {
            return null;
        }
        List<Method> named = Declared.methods(type, method);
        if (named.size() == 1) {
            return Declared.parameters(named.get(0));
        }
        // JUnit 4 itself runs only methods without parameters.
        return Declared.withParameters(named, NONE).isEmpty() ? null : NONE;
    }

    private static boolean loadable(String name) {
        return load(name) != null;
    }

    private static Class<?> load(String name) {
        try {
            return Class.forName(name, false, Thread.currentThread().getContextClassLoader());
        } catch (ClassNotFoundException | LinkageError notAClass) {
            return null;
        }
    }
}

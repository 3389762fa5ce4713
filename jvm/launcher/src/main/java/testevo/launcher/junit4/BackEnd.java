package testevo.launcher.junit4;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import junit.framework.TestCase;
import org.junit.Test;
import org.junit.runner.JUnitCore;
import org.junit.runner.Request;
import org.junit.runner.RunWith;
import org.junit.runner.Runner;
import org.junit.runner.manipulation.Filterable;
import org.junit.runner.manipulation.NoTestsRemainException;
import testevo.launcher.backend.Events;
import testevo.launcher.backend.Resolved;
import testevo.launcher.backend.Selection;
import testevo.launcher.junit3.TestCases;

/** Runs tests with JUnit 4.4 or later; those of JUnit 3 style, too. */
public final class BackEnd implements BiConsumer<List<Map<String, Object>>, Consumer<Map<String, Object>>> {
    @Override
    public void accept(List<Map<String, Object>> selections, Consumer<Map<String, Object>> sink) {
        Events events = new Events(sink);
        for (Map<String, Object> fields : selections) {
            Resolved resolved = Resolved.of(new Selection(fields), events);
            if (resolved != null) {
                run(resolved, events);
            }
        }
    }

    private static void run(Resolved resolved, Events events) {
        try {
            String refused = whyNoTests(resolved.type);
            if (refused != null) {
                events.notFound(resolved.selection.text, refused);
            } else if (resolved.method != null && isPlainTestCase(resolved.type)) {
                // Before JUnit 4.7 the runner for these classes knows no filters.
                TestCases.run(resolved, events);
            } else {
                runRequest(resolved, events);
            }
        } catch (LinkageError broken) {
            events.discoveryFailed(resolved.selection.text, broken);
        }
    }

    private static void runRequest(Resolved resolved, Events events) {
        Runner runner;
        MethodFilter filter = resolved.method == null ? null : new MethodFilter(resolved);
        try {
            runner = Request.aClass(resolved.type).getRunner();
            // Not by Filter.apply, whose parameter changed after 4.4. Other runners run all, and the listener filters.
            if (filter != null && runner instanceof Filterable) {
                ((Filterable) runner).filter(filter);
            }
        } catch (NoTestsRemainException nothing) {
            events.notFound(
                    resolved.selection.text, "JUnit 4 finds no test of this name in " + resolved.type.getName());
            return;
        } catch (Exception failure) {
            events.discoveryFailed(resolved.selection.text, failure);
            return;
        }
        Listener listener = new Listener(events, resolved.type, filter);
        JUnitCore core = new JUnitCore();
        core.addListener(listener);
        core.run(runner);
        if (filter != null && !listener.reportedAnything()) {
            events.notFound(resolved.selection.text, "JUnit 4 ran no test of this name in " + resolved.type.getName());
        }
    }

    /** Null when the class can hold tests: JUnit itself would report a failed test for one that cannot. */
    private static String whyNoTests(Class<?> type) {
        if (type.isInterface() || type.isAnnotation()) {
            return type.getName() + " is an interface";
        }
        if (type.getAnnotation(RunWith.class) != null || hasSuite(type)) {
            return null;
        }
        if (Modifier.isAbstract(type.getModifiers())) {
            return type.getName() + " is abstract";
        }
        if (TestCase.class.isAssignableFrom(type) || hasTestMethod(type)) {
            return null;
        }
        return type.getName() + " has no test of JUnit 3 or 4";
    }

    private static boolean hasTestMethod(Class<?> type) {
        for (Class<?> c = type; c != null && c != Object.class; c = c.getSuperclass()) {
            for (Method method : c.getDeclaredMethods()) {
                if (method.getAnnotation(Test.class) != null) {
                    return true;
                }
            }
        }
        return false;
    }

    private static boolean isPlainTestCase(Class<?> type) {
        return TestCase.class.isAssignableFrom(type) && type.getAnnotation(RunWith.class) == null && !hasSuite(type);
    }

    private static boolean hasSuite(Class<?> type) {
        try {
            return Modifier.isStatic(type.getMethod("suite").getModifiers());
        } catch (NoSuchMethodException none) {
            return false;
        }
    }
}

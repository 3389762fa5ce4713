package testevo.launcher.junit4;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import junit.framework.TestCase;
import org.junit.Test;
import org.junit.runner.RunWith;
import testevo.launcher.backend.Events;
import testevo.launcher.backend.Resolved;
import testevo.launcher.backend.Selection;
import testevo.launcher.junit3.TestCases;

/** Runs tests with JUnit 4.4 or later; those of JUnit 3 style, too. */
public final class BackEnd implements BiConsumer<List<Map<String, Object>>, Consumer<Map<String, Object>>> {
    /** Since JUnit 4.5. */
    private static final String ENCLOSED = "org.junit.experimental.runners.Enclosed";

    @Override
    public void accept(List<Map<String, Object>> selections, Consumer<Map<String, Object>> sink) {
        Events events = new Events(sink);
        List<ClassRun> made = new ArrayList<>();
        for (Map<String, Object> fields : selections) {
            Resolved resolved = Resolved.of(new Selection(fields), events);
            if (resolved == null) {
                continue;
            }
            CategoryFilter categories = CategoryFilter.of(resolved.selection);
            ClassRun run = start(resolved, events, categories);
            if (run == null) {
                continue;
            }
            if (categories != null) {
                made.add(run);
            } else if (run.filter()) {
                run.run();
            }
        }
        runAll(made);
    }

    /** Where a build chooses by categories, Surefire makes all runners, filters them, and only then runs the first. */
    private static void runAll(List<ClassRun> made) {
        List<ClassRun> left = new ArrayList<>();
        for (ClassRun run : made) {
            if (run.filter()) {
                left.add(run);
            }
        }
        for (ClassRun run : left) {
            run.run();
        }
    }

    /** Null where nothing is to follow. */
    private static ClassRun start(Resolved resolved, Events events, CategoryFilter categories) {
        try {
            String refused = whyNoTests(resolved.type, categories != null);
            if (refused != null) {
                events.notFound(resolved.selection.text, refused);
            } else if (resolved.method != null && isPlainTestCase(resolved.type) && categories == null) {
                // Before JUnit 4.7 the runner for these classes knows no filters.
                TestCases.run(resolved, events);
            } else {
                return ClassRun.of(resolved, events, categories);
            }
        } catch (LinkageError broken) {
            events.discoveryFailed(resolved.selection.text, broken);
        }
        return null;
    }

    /**
     * Null when the class can hold tests: JUnit itself would report a failed test for one that cannot. Where it chooses
     * by categories, Surefire runs abstract classes that enclose tests, and no others.
     */
    private static String whyNoTests(Class<?> type, boolean byCategories) {
        if (type.isInterface() || type.isAnnotation()) {
            return type.getName() + " is an interface";
        }
        RunWith runner = type.getAnnotation(RunWith.class);
        if (byCategories && runner != null && Modifier.isAbstract(type.getModifiers())) {
            return runner.value().getName().equals(ENCLOSED) ? null : type.getName() + " is abstract";
        }
        if (runner != null || hasSuite(type)) {
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

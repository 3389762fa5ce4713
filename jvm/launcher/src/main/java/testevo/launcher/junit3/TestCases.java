package testevo.launcher.junit3;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import junit.framework.Test;
import junit.framework.TestCase;
import junit.framework.TestSuite;
import testevo.launcher.backend.Events;
import testevo.launcher.backend.Resolved;

/** Makes the test objects of JUnit 3 and runs them. */
public final class TestCases {
    private TestCases() {}

    public static void run(Resolved resolved, Events events) {
        if (resolved.method != null) {
            runMethod(resolved, events);
        } else {
            runClass(resolved, events);
        }
    }

    private static void runMethod(Resolved resolved, Events events) {
        Method method = resolved.method;
        if (!TestCase.class.isAssignableFrom(resolved.type) || Modifier.isAbstract(resolved.type.getModifiers())) {
            events.notFound(resolved.selection.text, resolved.type.getName() + " is not a concrete TestCase");
        } else if (method.getParameterTypes().length > 0 || !Modifier.isPublic(method.getModifiers())) {
            events.notFound(resolved.selection.text, "a test method of JUnit 3 is public and has no parameters");
        } else {
            Test test = TestSuite.createTest(resolved.type.asSubclass(TestCase.class), method.getName());
            test.run(BackEnd.result(events, resolved.type));
        }
    }

    private static void runClass(Resolved resolved, Events events) {
        Class<?> type = resolved.type;
        Test suite;
        try {
            Method factory = suiteMethod(type);
            if (factory != null) {
                suite = (Test) factory.invoke(null);
            } else if (TestCase.class.isAssignableFrom(type) && !Modifier.isAbstract(type.getModifiers())) {
                suite = new TestSuite(type.asSubclass(TestCase.class));
            } else {
                events.notFound(
                        resolved.selection.text, type.getName() + " is not a concrete TestCase and has no suite()");
                return;
            }
        } catch (InvocationTargetException thrown) {
            events.discoveryFailed(resolved.selection.text, thrown.getCause());
            return;
        } catch (IllegalAccessException | LinkageError broken) {
            events.discoveryFailed(resolved.selection.text, broken);
            return;
        }
        suite.run(BackEnd.result(events, type));
    }

    private static Method suiteMethod(Class<?> type) {
        try {
            Method method = type.getMethod("suite");
            return Modifier.isStatic(method.getModifiers()) ? method : null;
        } catch (NoSuchMethodException none) {
            return null;
        }
    }
}

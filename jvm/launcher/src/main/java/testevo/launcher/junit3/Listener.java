package testevo.launcher.junit3;

import java.util.IdentityHashMap;
import java.util.Map;
import junit.framework.AssertionFailedError;
import junit.framework.Test;
import junit.framework.TestCase;
import junit.framework.TestListener;
import testevo.launcher.backend.Events;
import testevo.launcher.backend.TestName;

/** Reports a run of JUnit 3. */
final class Listener implements TestListener {
    private static final String[] NONE = {};

    private final Events events;
    private final Class<?> type;
    private final Map<Test, TestName> running = new IdentityHashMap<>();
    private final Map<Test, Throwable> thrown = new IdentityHashMap<>();

    Listener(Events events, Class<?> type) {
        this.events = events;
        this.type = type;
    }

    @Override
    public synchronized void startTest(Test test) {
        if (!isWarning(test)) {
            TestName name = name(test);
            running.put(test, name);
            events.started(name);
        }
    }

    @Override
    public void addError(Test test, Throwable error) {
        add(test, error);
    }

    @Override
    public void addFailure(Test test, AssertionFailedError failure) {
        add(test, failure);
    }

    /** The first throwable of a test counts. One without a running test is the decorator's around a class. */
    private synchronized void add(Test test, Throwable error) {
        if (isWarning(test)) {
            warning(error);
        } else if (!running.containsKey(test)) {
            events.failed(new TestName(type.getName(), null, null, String.valueOf(test), "junit3:" + test), error);
        } else if (!thrown.containsKey(test)) {
            thrown.put(test, error);
        }
    }

    @Override
    public synchronized void endTest(Test test) {
        TestName name = running.remove(test);
        if (name == null) {
            return;
        }
        Throwable error = thrown.remove(test);
        if (error == null) {
            events.passed(name);
        } else {
            events.failed(name, error);
        }
    }

    /** JUnit 3 dresses "no tests found", "class is not public" and the like as tests that fail. */
    private static boolean isWarning(Test test) {
        return test instanceof TestCase
                && "warning".equals(((TestCase) test).getName())
                && test.getClass().getName().startsWith("junit.framework.TestSuite$");
    }

    private void warning(Throwable error) {
        String message = String.valueOf(error.getMessage());
        if (message.startsWith("No tests found")) {
            events.notFound(type.getName(), message);
        } else {
            events.failed(new TestName(type.getName(), null, null, message, "junit3:" + message), error);
        }
    }

    private static TestName name(Test test) {
        String text = String.valueOf(test);
        if (test instanceof TestCase) {
            String method = ((TestCase) test).getName();
            return new TestName(test.getClass().getName(), method, NONE, method, "junit3:" + text);
        }
        // Adapters of JUnit 4 tests and the like print themselves as `name(class)`.
        int open = text.lastIndexOf('(');
        if (open < 0 || !text.endsWith(")")) {
            return new TestName(test.getClass().getName(), text, null, text, "junit3:" + text);
        }
        String owner = text.substring(open + 1, text.length() - 1);
        return new TestName(owner, text.substring(0, open), NONE, text.substring(0, open), "junit3:" + text);
    }
}

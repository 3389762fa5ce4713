package testevo.launcher.junit4;

import java.util.HashMap;
import java.util.Map;
import org.junit.Ignore;
import org.junit.runner.Description;
import org.junit.runner.notification.Failure;
import org.junit.runner.notification.RunListener;
import testevo.launcher.backend.Declared;
import testevo.launcher.backend.Events;
import testevo.launcher.backend.TestName;

/** Reports a run of JUnit 4. */
public final class Listener extends RunListener {
    private final Events events;
    private final Class<?> running;
    private final MethodFilter filter;
    private final Map<Description, TestName> open = new HashMap<>();
    private final Map<Description, Throwable> failed = new HashMap<>();
    private final Map<Description, Throwable> aborted = new HashMap<>();
    private boolean reported;

    /** {@code filter} null: everything is reported. */
    Listener(Events events, Class<?> running, MethodFilter filter) {
        this.events = events;
        this.running = running;
        this.filter = filter;
    }

    boolean reportedAnything() {
        return reported;
    }

    @Override
    public synchronized void testStarted(Description description) {
        Described test = Described.of(description, running);
        if (selected(test)) {
            TestName name = test.name();
            open.put(description, name);
            events.started(name);
            reported = true;
        }
    }

    @Override
    public synchronized void testFailure(Failure failure) {
        first(failed, failure, false);
    }

    /** Since 4.5; older versions let a test with a failed assumption pass. */
    public synchronized void testAssumptionFailure(Failure failure) {
        first(aborted, failure, true);
    }

    /** The first throwable of a test counts; one outside a running test is the class's. */
    private void first(Map<Description, Throwable> kind, Failure failure, boolean assumption) {
        Description description = failure.getDescription();
        if (open.containsKey(description)) {
            if (!kind.containsKey(description)) {
                kind.put(description, failure.getException());
            }
            return;
        }
        Described described = Described.of(description, running);
        if (described.method != null && !selected(described)) {
            return;
        }
        reported = true;
        TestName name = described.name();
        if (name.method != null) {
            events.started(name);
        }
        if (assumption) {
            events.aborted(name, failure.getException());
        } else {
            events.failed(name, failure.getException());
        }
    }

    @Override
    public synchronized void testFinished(Description description) {
        TestName name = open.remove(description);
        Throwable failure = failed.remove(description);
        Throwable assumption = aborted.remove(description);
        if (name == null) {
            return;
        }
        if (failure != null) {
            events.failed(name, failure);
        } else if (assumption != null) {
            events.aborted(name, assumption);
        } else {
            events.passed(name);
        }
    }

    @Override
    public synchronized void testIgnored(Description description) {
        Described test = Described.of(description, running);
        if (test.method == null || selected(test)) {
            reported = true;
            events.skipped(test.name(), reason(test));
        }
    }

    private boolean selected(Described test) {
        return filter == null || filter.selects(test);
    }

    private String reason(Described test) {
        try {
            Class<?> type = Class.forName(test.type, false, running.getClassLoader());
            Ignore ignore = test.method == null
                    ? type.getAnnotation(Ignore.class)
                    : Declared.methods(type, test.method).get(0).getAnnotation(Ignore.class);
            return ignore == null || ignore.value().isEmpty() ? null : ignore.value();
        } catch (ClassNotFoundException | LinkageError | IndexOutOfBoundsException unknown) {
            return null;
        }
    }
}

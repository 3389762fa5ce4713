package testevo.launcher.junit4;

import org.junit.runner.Description;
import org.junit.runner.JUnitCore;
import org.junit.runner.Request;
import org.junit.runner.Runner;
import org.junit.runner.manipulation.Filter;
import org.junit.runner.manipulation.Filterable;
import org.junit.runner.manipulation.NoTestsRemainException;
import testevo.launcher.backend.Events;
import testevo.launcher.backend.Resolved;

/** A selection on its way through JUnit 4: its runner is made, then filtered, then run. */
final class ClassRun {
    private final Resolved resolved;
    private final Events events;
    private final MethodFilter methods;
    private final CategoryFilter categories;
    private final Runner runner;

    private ClassRun(Resolved resolved, Events events, CategoryFilter categories, Runner runner) {
        this.resolved = resolved;
        this.events = events;
        this.methods = resolved.method == null ? null : new MethodFilter(resolved);
        this.categories = categories;
        this.runner = runner;
    }

    /** {@code categories} null: tests of all. Null where no runner can be made, which has been reported. */
    static ClassRun of(Resolved resolved, Events events, CategoryFilter categories) {
        try {
            return new ClassRun(
                    resolved, events, categories, Request.aClass(resolved.type).getRunner());
        } catch (Exception | LinkageError failure) {
            events.discoveryFailed(resolved.selection.text, failure);
            return null;
        }
    }

    /** Leave out what is not asked for. False where nothing is left, which has been reported. */
    boolean filter() {
        try {
            // As in a suite of all classes, which Surefire filters by categories.
            if (categories != null && !categories.shouldRun(runner.getDescription())) {
                throw new NoTestsRemainException();
            }
            // Not by Filter.apply, whose parameter changed after 4.4. Other runners run all, and the listener filters.
            if ((methods != null || categories != null) && runner instanceof Filterable) {
                ((Filterable) runner).filter(new Both(categories, methods));
            }
            return true;
        } catch (NoTestsRemainException nothing) {
            events.notFound(resolved.selection.text, "JUnit 4 finds no " + wanted());
        } catch (Exception | LinkageError failure) {
            events.discoveryFailed(resolved.selection.text, failure);
        }
        return false;
    }

    void run() {
        try {
            Listener listener = new Listener(events, resolved.type, methods);
            JUnitCore core = new JUnitCore();
            core.addListener(listener);
            core.run(runner);
            if (methods != null && !listener.reportedAnything()) {
                events.notFound(resolved.selection.text, "JUnit 4 ran no " + wanted());
            }
        } catch (LinkageError broken) {
            events.discoveryFailed(resolved.selection.text, broken);
        }
    }

    private String wanted() {
        String name = methods == null ? "test" : "test of this name";
        return name + (categories == null ? "" : " of the build's categories") + " in " + resolved.type.getName();
    }

    /** Lets through what both do, where there are both. */
    private static final class Both extends Filter {
        private final CategoryFilter categories;
        private final MethodFilter methods;

        Both(CategoryFilter categories, MethodFilter methods) {
            this.categories = categories;
            this.methods = methods;
        }

        @Override
        public boolean shouldRun(Description description) {
            return (categories == null || categories.shouldRun(description))
                    && (methods == null || methods.shouldRun(description));
        }

        @Override
        public String describe() {
            return "tests that are asked for";
        }
    }
}

package testevo.launcher.platform;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.Filter;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TagFilter;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import testevo.launcher.backend.Events;
import testevo.launcher.backend.Resolved;
import testevo.launcher.backend.Selection;

/** Runs tests with the JUnit Platform and the engines on the project's class path. */
public final class BackEnd implements BiConsumer<List<Map<String, Object>>, Consumer<Map<String, Object>>> {
    @Override
    public void accept(List<Map<String, Object>> selections, Consumer<Map<String, Object>> sink) {
        Events events = new Events(sink);
        List<Resolved> resolved = new ArrayList<>();
        for (Map<String, Object> fields : selections) {
            Resolved one = Resolved.of(new Selection(fields), events);
            if (one != null) {
                resolved.add(one);
            }
        }
        if (!resolved.isEmpty()) {
            run(resolved, events);
        }
    }

    private static void run(List<Resolved> selections, Events events) {
        Session session;
        try {
            session = Session.open();
        } catch (RuntimeException | LinkageError failure) {
            for (Resolved selection : selections) {
                events.discoveryFailed(selection.selection.text, failure);
            }
            return;
        }
        try {
            run(session.launcher, selections, events);
        } finally {
            session.close();
        }
    }

    private static void run(Launcher launcher, List<Resolved> selections, Events events) {
        Complaints complaints = Complaints.listen();
        List<Resolved> found = new ArrayList<>();
        TestPlan last = null;
        for (Resolved selection : selections) {
            TestPlan plan = planOf(launcher, selection, complaints, events);
            if (plan != null) {
                found.add(selection);
                last = plan;
            }
        }
        complaints.stop();
        if (found.size() > 1 && found.get(0).selection.alone) {
            for (Resolved selection : found) {
                launcher.execute(configured(Collections.singletonList(selection)), new Listener(events));
            }
        } else if (!found.isEmpty()) {
            execute(launcher, found, last, new Listener(events));
        }
    }

    /**
     * One selection runs from the plan that was made to look at it, where the Platform can (since 1.4). Parameters of
     * the build do not count for that plan, as Surefire looks for tests without them.
     */
    private static void execute(Launcher launcher, List<Resolved> found, TestPlan plan, Listener listener) {
        if (found.size() == 1 && found.get(0).selection.configurationParameters.isEmpty()) {
            try {
                Method method = Launcher.class.getMethod("execute", TestPlan.class, TestExecutionListener[].class);
                method.invoke(launcher, plan, new TestExecutionListener[] {listener});
                return;
            } catch (NoSuchMethodException old) {
                // Below 1.4: the request, as for several selections.
            } catch (IllegalAccessException | InvocationTargetException failure) {
                throw new IllegalStateException("the JUnit Platform failed to run its plan", failure.getCause());
            }
        }
        launcher.execute(configured(found), listener);
    }

    /**
     * The plan of one selection, or null when it is empty or cannot be made, which has been reported. Each selection
     * is looked at alone: one broken class must not take the others with it, nor an empty one go unnoticed.
     */
    private static TestPlan planOf(Launcher launcher, Resolved selection, Complaints complaints, Events events) {
        String text = selection.selection.text;
        try {
            TestPlan plan = launcher.discover(
                    request(Collections.singletonList(selection)).build());
            for (TestIdentifier engine : plan.getRoots()) {
                if (!plan.getChildren(engine).isEmpty()) {
                    return plan;
                }
            }
            Throwable logged = complaints.take();
            if (logged != null) {
                events.discoveryFailed(text, logged);
            } else {
                events.notFound(text, "no engine on the class path finds a test there");
            }
        } catch (RuntimeException | LinkageError failure) {
            events.discoveryFailed(text, failure);
        }
        return null;
    }

    /** With the configuration parameters of the build, which are the same for all selections. */
    private static LauncherDiscoveryRequest configured(List<Resolved> selections) {
        Map<String, String> parameters = ParametersText.read(selections.get(0).selection.configurationParameters);
        return request(selections).configurationParameters(parameters).build();
    }

    private static LauncherDiscoveryRequestBuilder request(List<Resolved> selections) {
        List<DiscoverySelector> selectors = new ArrayList<>();
        for (Resolved selection : selections) {
            selectors.add(
                    selection.method == null
                            ? DiscoverySelectors.selectClass(selection.type)
                            : DiscoverySelectors.selectMethod(selection.type, selection.method));
        }
        return LauncherDiscoveryRequestBuilder.request()
                .selectors(selectors)
                .filters(tagFilters(selections.get(0).selection))
                // One test at a time, whatever the project says: events and calls belong to the test that runs.
                .configurationParameter("junit.jupiter.execution.parallel.enabled", "false")
                .configurationParameter("junit.vintage.execution.parallel.enabled", "false");
    }

    /** Those of the build, which are the same for all selections. */
    private static Filter<?>[] tagFilters(Selection selection) {
        List<Filter<?>> filters = new ArrayList<>();
        if (!selection.includedTags.isEmpty()) {
            filters.add(TagFilter.includeTags(selection.includedTags));
        }
        if (!selection.excludedTags.isEmpty()) {
            filters.add(TagFilter.excludeTags(selection.excludedTags));
        }
        return filters.toArray(new Filter<?>[0]);
    }
}

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
import org.junit.platform.launcher.EngineFilter;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TagFilter;
import org.junit.platform.launcher.TestExecutionListener;
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
        List<Discovered> found = new ArrayList<>();
        for (Resolved selection : selections) {
            Discovered discovered = discover(launcher, selection, complaints, events);
            if (discovered != null) {
                found.add(discovered);
            }
        }
        complaints.stop();
        if (found.size() > 1 && runApart(found)) {
            for (Discovered one : found) {
                launcher.execute(configured(Collections.singletonList(one)), new Listener(events));
            }
        } else if (!found.isEmpty()) {
            execute(launcher, found, new Listener(events));
        }
    }

    /** Engines are excluded for a whole request. */
    private static boolean runApart(List<Discovered> found) {
        for (Discovered one : found) {
            if (!one.excluded.isEmpty()) {
                return true;
            }
        }
        return found.get(0).selection.selection.alone;
    }

    /**
     * One selection runs from the plan that was made to look at it, where the Platform can (since 1.4). Parameters of
     * the build do not count for that plan, as Surefire looks for tests without them.
     */
    private static void execute(Launcher launcher, List<Discovered> found, Listener listener) {
        if (found.size() == 1
                && found.get(0).selection.selection.configurationParameters.isEmpty()) {
            try {
                Method method = Launcher.class.getMethod("execute", TestPlan.class, TestExecutionListener[].class);
                method.invoke(launcher, found.get(0).plan, new TestExecutionListener[] {listener});
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
     * What is found of one selection, or null when it is nothing or cannot be looked for, which has been reported. Each
     * selection is looked at alone: one broken class must not take the others with it, nor an empty one go unnoticed.
     */
    private static Discovered discover(Launcher launcher, Resolved selection, Complaints complaints, Events events) {
        String text = selection.selection.text;
        try {
            TestPlan plan = launcher.discover(
                    request(selection, Collections.emptyList()).build());
            List<String> excluded = Discovered.enginesWithoutMethod(plan, selection.method);
            if (!excluded.isEmpty()) {
                plan = launcher.discover(request(selection, excluded).build());
            }
            Discovered discovered = new Discovered(selection, plan, excluded);
            if (!discovered.isEmpty()) {
                return discovered;
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

    private static LauncherDiscoveryRequestBuilder request(Resolved selection, List<String> excluded) {
        return request(Collections.singletonList(selection), excluded);
    }

    /** With the configuration parameters of the build, which are the same for all selections. */
    private static LauncherDiscoveryRequest configured(List<Discovered> found) {
        List<Resolved> selections = new ArrayList<>();
        for (Discovered one : found) {
            selections.add(one.selection);
        }
        Map<String, String> parameters = ParametersText.read(selections.get(0).selection.configurationParameters);
        return request(selections, found.get(0).excluded)
                .configurationParameters(parameters)
                .build();
    }

    private static LauncherDiscoveryRequestBuilder request(List<Resolved> selections, List<String> excluded) {
        List<DiscoverySelector> selectors = new ArrayList<>();
        for (Resolved selection : selections) {
            selectors.add(
                    selection.method == null
                            ? DiscoverySelectors.selectClass(selection.type)
                            : DiscoverySelectors.selectMethod(selection.type, selection.method));
        }
        List<Filter<?>> filters = tagFilters(selections.get(0).selection);
        if (!excluded.isEmpty()) {
            filters.add(EngineFilter.excludeEngines(excluded));
        }
        return LauncherDiscoveryRequestBuilder.request()
                .selectors(selectors)
                .filters(filters.toArray(new Filter<?>[0]))
                // One test at a time, whatever the project says: events and calls belong to the test that runs.
                .configurationParameter("junit.jupiter.execution.parallel.enabled", "false")
                .configurationParameter("junit.vintage.execution.parallel.enabled", "false");
    }

    /** Those of the build, which are the same for all selections. */
    private static List<Filter<?>> tagFilters(Selection selection) {
        List<Filter<?>> filters = new ArrayList<>();
        if (!selection.includedTags.isEmpty()) {
            filters.add(TagFilter.includeTags(selection.includedTags));
        }
        if (!selection.excludedTags.isEmpty()) {
            filters.add(TagFilter.excludeTags(selection.excludedTags));
        }
        return filters;
    }
}

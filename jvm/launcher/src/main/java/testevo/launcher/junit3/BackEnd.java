package testevo.launcher.junit3;

import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import junit.framework.TestResult;
import testevo.launcher.backend.Events;
import testevo.launcher.backend.Resolved;
import testevo.launcher.backend.Selection;

/** Runs tests of a project that has nothing newer than JUnit 3.8. */
public final class BackEnd implements BiConsumer<List<Map<String, Object>>, Consumer<Map<String, Object>>> {
    @Override
    public void accept(List<Map<String, Object>> selections, Consumer<Map<String, Object>> sink) {
        Events events = new Events(sink);
        for (Map<String, Object> fields : selections) {
            Resolved resolved = Resolved.of(new Selection(fields), events);
            if (resolved != null) {
                TestCases.run(resolved, events);
            }
        }
    }

    /** A result that reports to {@code events}; class-level events are those of {@code type}. */
    static TestResult result(Events events, Class<?> type) {
        TestResult result = new TestResult();
        result.addListener(new Listener(events, type));
        return result;
    }
}

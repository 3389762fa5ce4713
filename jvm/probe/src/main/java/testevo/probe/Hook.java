package testevo.probe;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/** Called by the launcher around each invocation of a test. Tests may nest: a factory and its dynamic tests. */
public final class Hook {
    private static final Map<String, TestRun> RUNS = new LinkedHashMap<>();
    private static final Deque<TestRun> RUNNING = new ArrayDeque<>();
    private static volatile TestRun current;
    private static Report report;

    private Hook() {}

    static void reportTo(Report target) {
        report = target;
    }

    /** The test that runs now, or null. */
    static TestRun current() {
        return current;
    }

    /** {@code parameters}: erased, fully qualified; null where they are not known. */
    public static synchronized void testStarted(String type, String method, String[] parameters) {
        if (RUNNING.isEmpty()) {
            writeAllBut(type);
        }
        String key = type + '#' + method + Arrays.toString(parameters);
        TestRun run = RUNS.get(key);
        if (run == null) {
            run = new TestRun(type, method, parameters);
            RUNS.put(key, run);
        }
        run.runsIn(Thread.currentThread());
        RUNNING.push(run);
        current = run;
    }

    public static synchronized void testFinished() {
        RUNNING.poll();
        current = RUNNING.peek();
    }

    /** All tests have run: writes what is left. */
    public static synchronized void end() {
        writeAllBut(null);
    }

    /** Invocations of one method may lie apart, but not further than their class lasts. */
    private static void writeAllBut(String type) {
        Iterator<TestRun> runs = RUNS.values().iterator();
        while (runs.hasNext()) {
            TestRun run = runs.next();
            if (!run.type.equals(type)) {
                report.write(run);
                runs.remove();
            }
        }
    }
}

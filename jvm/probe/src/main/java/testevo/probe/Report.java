package testevo.probe;

import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** The output file: one JSON object a line, opened before a security manager of a test could forbid it. */
final class Report {
    private final FileOutputStream stream;

    Report(String path) throws IOException {
        stream = new FileOutputStream(path, true);
    }

    void write(TestRun run) {
        List<String> direct = new ArrayList<>();
        List<String> helpers = new ArrayList<>();
        List<String> closure = new ArrayList<>();
        int size = run.size();
        for (int number = 0; number < size; number++) {
            add(direct, direct(run, number));
            add(helpers, helper(run, number));
            add(closure, closure(run, number));
        }
        StringBuilder line = new StringBuilder("{\"class\":");
        Text.quote(line, run.type);
        line.append(",\"method\":");
        Text.quote(line, run.method);
        line.append(",\"parameters\":");
        parameters(line, run.parameters);
        list(line, "direct", direct);
        list(line, "helpers", helpers);
        list(line, "closure", closure);
        write(line.append("}\n"));
    }

    /** A class (or one method of it) whose calls are missing from every list, and why: a record of no test. */
    void uninstrumented(String type, String what, String reason) {
        StringBuilder line = new StringBuilder("{\"class\":");
        Text.quote(line, type);
        line.append(",\"method\":\"\",\"parameters\":null,\"uninstrumented\":");
        Text.quote(line, what);
        line.append(",\"reason\":");
        Text.quote(line, reason);
        write(line.append("}\n"));
    }

    private synchronized void write(StringBuilder line) {
        try {
            stream.write(line.toString().getBytes(StandardCharsets.US_ASCII));
        } catch (IOException error) {
            throw new IllegalStateException("the output of the probe cannot be written", error);
        }
    }

    private static void add(List<String> items, String item) {
        if (item != null) {
            items.add(item);
        }
    }

    /** A detour is named only where no call goes without it, and calls through helpers count only there. */
    private static String direct(TestRun run, int number) {
        for (int way = TestRun.DIRECT; way < TestRun.BY_HELPER; way += TestRun.WAYS_APART) {
            if (run.isEntered(way, number)) {
                return callee(run, number, way, TestRun.DIRECT, TestRun.BY_BRIDGE, TestRun.BY_LAMBDA);
            }
        }
        return callee(run, number, TestRun.BY_HELPER, TestRun.BY_HELPER);
    }

    private static String helper(TestRun run, int number) {
        int way = run.isEntered(TestRun.HELPER, number) ? TestRun.HELPER : TestRun.HELPER_BY_LAMBDA;
        return callee(run, number, way, TestRun.HELPER, TestRun.HELPER_BY_LAMBDA);
    }

    private static String callee(TestRun run, int number, int named, int... counted) {
        int main = 0;
        int thread = 0;
        for (int way : counted) {
            main += run.count(way, number);
            thread += run.count(way + TestRun.IN_THREAD, number);
        }
        if (main + thread == 0) {
            return null;
        }
        return named(number)
                .append(",\"calls\":")
                .append(main + thread)
                .append(",\"from_thread\":")
                .append(main == 0)
                .append(",\"through_bridge\":")
                .append(named == TestRun.BY_BRIDGE)
                .append(",\"through_lambda\":")
                .append(named == TestRun.BY_LAMBDA || named == TestRun.HELPER_BY_LAMBDA)
                .append(",\"through_helper\":")
                .append(named == TestRun.BY_HELPER)
                .append('}')
                .toString();
    }

    /** Entries below static initialisers count only where there is none elsewhere. */
    private static String closure(TestRun run, int number) {
        boolean inInitialiser = run.count(TestRun.LEVEL, number) == 0;
        int levels = inInitialiser ? TestRun.INITIALISER_LEVEL : TestRun.LEVEL;
        int level = run.count(levels, number);
        if (level == 0) {
            return null;
        }
        return named(number)
                .append(",\"calls\":")
                .append(run.count(levels + 1, number))
                .append(",\"depth\":")
                .append(level)
                .append(",\"in_initialiser\":")
                .append(inInitialiser)
                .append('}')
                .toString();
    }

    private static StringBuilder named(int number) {
        MethodInfo method = Registry.at(number);
        StringBuilder text = new StringBuilder("{\"class\":");
        Text.quote(text, method.binaryType());
        text.append(",\"name\":");
        Text.quote(text, method.name);
        text.append(",\"descriptor\":");
        Text.quote(text, method.descriptor);
        text.append(",\"signature\":");
        Text.quote(text, method.signature);
        return text.append(",\"variable_arity\":").append(method.variableArity);
    }

    private static void parameters(StringBuilder line, String[] names) {
        if (names == null) {
            line.append("null");
            return;
        }
        line.append('[');
        for (int i = 0; i < names.length; i++) {
            line.append(i == 0 ? "" : ",");
            Text.quote(line, names[i]);
        }
        line.append(']');
    }

    /** In the order of their names: numbers depend on the order in which classes were loaded. */
    private static void list(StringBuilder line, String name, List<String> items) {
        Collections.sort(items);
        line.append(",\"").append(name).append("\":[");
        for (int i = 0; i < items.size(); i++) {
            line.append(i == 0 ? "" : ",").append(items.get(i));
        }
        line.append(']');
    }
}

package testevo.probe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.InvocationTargetException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import testevo.testing.Compiled;

/** Small test classes and what they call, instrumented as the agent does it, run in this JVM. */
class InstrumentedTest {
    private static final String CODE = "public class Code {"
            + " public Code() {}"
            + " public Code(int number) { if (number < 0) throw new IllegalArgumentException(); }"
            + " public static int one() { return two() - 1; }"
            + " public static int two() { return 2; }"
            + " public static void fails() { throw new IllegalStateException(); }"
            + " public static void calls(Runnable back) { back.run(); }"
            + " public static int deep(int depth) { return depth == 0 ? two() : deep(depth - 1); }"
            + " public interface Maker<T> { T make(int number); }"
            + " public static class TextMaker implements Maker<String> { public String make(int number) { return \"\" + number; } }"
            + " static class Hidden { public int three() { return 3; } }"
            + " public static class Shown extends Hidden {} }";

    @TempDir
    Path folder;

    /** Runs {@code CodeTest.tests} and gives back the line of the report. */
    private String report(String test) throws Exception {
        return report(test, "tests");
    }

    /** Runs methods of {@code CodeTest} as tests and gives back the line of the last one. */
    private String report(String test, String... methods) throws Exception {
        Compiled compiled = Compiled.of(CODE, "public class CodeTest { " + test + " }");
        Map<String, byte[]> instrumented = new HashMap<>();
        compiled.files.forEach(
                (name, file) -> instrumented.put(name, instrument(file, name.startsWith("CodeTest"), Set.of())));
        ClassLoader loader = Compiled.loader(instrumented);
        Path output = Files.createTempFile(folder, "report", null);
        Hook.reportTo(new Report(output.toString()));
        Object instance = loader.loadClass("CodeTest").getConstructor().newInstance();
        for (String method : methods) {
            Hook.testStarted("CodeTest", method, new String[0]);
            try {
                instance.getClass().getMethod(method).invoke(instance);
            } catch (InvocationTargetException thrown) {
                // Some tests fail.
            } finally {
                Hook.testFinished();
            }
        }
        Hook.end();
        List<String> lines = Files.readAllLines(output);
        return lines.get(lines.size() - 1);
    }

    private static byte[] instrument(byte[] file, boolean tests, Set<String> leftOut) {
        ClassReader reader = new ClassReader(file);
        ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
        reader.accept(new ClassInstrumenter(writer, tests, leftOut), ClassReader.EXPAND_FRAMES);
        return writer.toByteArray();
    }

    /** The methods in one list of the report, {@code Code.one()I x1}; with thread, bridge, lambda, helper, depth where they are not usual. */
    private static Set<String> list(String report, String name) {
        Matcher list =
                Pattern.compile("\"" + name + "\":\\[(.*?)\\](?=,\"|\\})").matcher(report);
        assertTrue(list.find(), report);
        Matcher item = Pattern.compile(
                        "\\{\"class\":\"(.*?)\",\"name\":\"(.*?)\",\"descriptor\":\"(.*?)\",\"signature\":.*?,\"calls\":(\\d+)"
                                + "(?:,\"from_thread\":(\\w+),\"through_bridge\":(\\w+),\"through_lambda\":(\\w+),\"through_helper\":(\\w+)"
                                + "|,\"depth\":(\\d+),\"in_initialiser\":(\\w+))\\}")
                .matcher(list.group(1));
        Set<String> items = new TreeSet<>();
        while (item.find()) {
            String text = item.group(1) + "." + item.group(2) + item.group(3) + " x" + item.group(4);
            text += "true".equals(item.group(5)) ? " thread" : "";
            text += "true".equals(item.group(6)) ? " bridge" : "";
            text += "true".equals(item.group(7)) ? " lambda" : "";
            text += "true".equals(item.group(8)) ? " helper" : "";
            text += item.group(9) == null ? "" : " depth " + item.group(9);
            items.add(text + ("true".equals(item.group(10)) ? " initialiser" : ""));
        }
        return items;
    }

    private Set<String> direct(String test) throws Exception {
        return list(report(test), "direct");
    }

    @Test
    void a_call_of_the_test_is_direct_and_those_below_are_not() throws Exception {
        assertEquals(Set.of("Code.one()I x1"), direct("public void tests() { Code.one(); }"));
    }

    @Test
    void calls_are_counted() throws Exception {
        assertEquals(
                Set.of("Code.two()I x3"), direct("public void tests() { for (int i = 0; i < 3; i++) Code.two(); }"));
    }

    @Test
    void the_closure_has_what_is_called_below_with_its_depth() throws Exception {
        assertEquals(
                Set.of("Code.one()I x1 depth 1", "Code.two()I x1 depth 2"),
                list(report("public void tests() { Code.one(); }"), "closure"));
    }

    @Test
    void a_recursion_is_entered_at_its_smallest_depth_once() throws Exception {
        assertEquals(
                Set.of("Code.deep(I)I x1 depth 1", "Code.two()I x1 depth 4"),
                list(report("public void tests() { Code.deep(2); }"), "closure"));
    }

    @Test
    void a_helper_is_named_and_what_it_calls_goes_through_it() throws Exception {
        String report = report("public void tests() { helps(); } void helps() { Code.two(); }");
        assertEquals(Set.of("CodeTest.helps()V x1"), list(report, "helpers"));
        assertEquals(Set.of("Code.two()I x1 helper"), list(report, "direct"));
    }

    @Test
    void a_call_without_the_helper_counts_before_those_through_it() throws Exception {
        assertEquals(
                Set.of("Code.two()I x1"),
                direct("public void tests() { helps(); Code.two(); } void helps() { Code.two(); }"));
    }

    @Test
    void a_fixture_is_no_helper() throws Exception {
        String report = report("public void tests() { setUp(); } void setUp() { }");
        assertEquals(Set.of(), list(report, "helpers"));
    }

    @Test
    void a_lambda_of_the_test_is_the_test() throws Exception {
        assertEquals(
                Set.of("Code.calls(Ljava/lang/Runnable;)V x1", "Code.two()I x1 lambda"),
                direct("public void tests() { Code.calls(() -> Code.two()); }"));
    }

    @Test
    void a_lambda_counts_where_nothing_else_calls_and_a_method_reference_is_none() throws Exception {
        String called = "public void tests() { Code.two(); Code.calls(() -> Code.two()); "
                + "java.util.Optional.<Integer>empty().orElseGet(Code::one); }";
        assertEquals(
                Set.of("Code.calls(Ljava/lang/Runnable;)V x1", "Code.two()I x2", "Code.one()I x1"), direct(called));
    }

    @Test
    void a_call_of_a_generic_supertype_goes_through_the_bridge_of_the_class() throws Exception {
        assertEquals(
                Set.of("Code$TextMaker.make(I)Ljava/lang/String; x1 bridge"),
                direct("public void tests() { Code.Maker<String> maker = new Code.TextMaker(); maker.make(1); }"));
    }

    @Test
    void a_public_method_of_a_hidden_class_is_inherited_through_a_bridge() throws Exception {
        assertEquals(
                Set.of("Code$Hidden.three()I x1 bridge"), direct("public void tests() { new Code.Shown().three(); }"));
    }

    @Test
    void a_bridge_counts_where_nothing_else_calls_and_before_lambdas() throws Exception {
        String maker = "Code.TextMaker one = new Code.TextMaker(); Code.Maker<String> other = one; ";
        String name = "Code$TextMaker.make(I)Ljava/lang/String; x2";
        assertEquals(Set.of(name), direct("public void tests() { " + maker + "one.make(1); other.make(2); }"));
        assertEquals(
                Set.of(name + " bridge", "Code.calls(Ljava/lang/Runnable;)V x1"),
                direct("public void tests() { " + maker + "other.make(1); Code.calls(() -> other.make(2)); }"));
    }

    @Test
    void a_bridge_is_no_level() throws Exception {
        assertEquals(
                Set.of("Code$TextMaker.make(I)Ljava/lang/String; x1 depth 1"),
                list(
                        report(
                                "public void tests() { Code.Maker<String> maker = new Code.TextMaker(); maker.make(1); }"),
                        "closure"));
    }

    @Test
    void bridges_of_the_test_tree_do_not_show() throws Exception {
        String report = report("static class Own extends Code.TextMaker {"
                + " public String make(int number) { return super.make(number); } }"
                + " public void tests() { Code.Maker<String> maker = new Own(); maker.make(1); }");
        assertEquals(Set.of("CodeTest$Own.make(I)Ljava/lang/String; x1"), list(report, "helpers"));
        assertEquals(Set.of("Code$TextMaker.make(I)Ljava/lang/String; x1 helper"), list(report, "direct"));
    }

    @Test
    void a_lambda_of_a_helper_is_not_the_test_whatever_the_names() throws Exception {
        assertEquals(
                Set.of("Code.calls(Ljava/lang/Runnable;)V x1 helper"),
                direct("public void tests() { tests$more(); } void tests$more() { Code.calls(() -> Code.two()); }"));
    }

    @Test
    void a_caught_exception_leaves_the_test_on_top() throws Exception {
        assertEquals(
                Set.of("Code.fails()V x1", "Code.two()I x1"),
                direct(
                        "public void tests() { try { Code.fails(); } catch (IllegalStateException e) { Code.two(); } }"));
    }

    @Test
    void an_exception_that_leaves_the_test_leaves_no_frame_behind() throws Exception {
        report("public void tests() { Code.fails(); }");
        assertEquals(Set.of("Code.two()I x1"), direct("public void tests() { Code.two(); }"));
    }

    @Test
    void a_constructor_that_throws_leaves_the_test_on_top() throws Exception {
        assertEquals(
                Set.of("Code.two()I x1"),
                direct("public void tests() { try { new Code(-1); } catch (RuntimeException e) { Code.two(); } }"));
    }

    @Test
    void constructors_are_no_calls() throws Exception {
        assertEquals(Set.of(), direct("public void tests() { new Code(); }"));
    }

    @Test
    void a_thread_of_the_test_calls_directly() throws Exception {
        assertEquals(
                Set.of("Code.two()I x1 thread lambda"),
                direct("public void tests() throws Exception {"
                        + " Thread thread = new Thread(() -> Code.two()); thread.start(); thread.join(); }"));
    }

    @Test
    void a_thread_that_an_earlier_test_left_running_does_not_call_for_the_next_one() throws Exception {
        String report = report(
                "public static java.util.List<Runnable> left = new java.util.ArrayList<>();"
                        + " public void earlier() { left.add(() -> Code.two());"
                        + " left.add(new Runnable() { public void run() { Code.two(); } }); }"
                        + " public void tests() throws Exception { Code.one(); for (Runnable body : left) {"
                        + " Thread thread = new Thread(body); thread.start(); thread.join(); } }",
                "earlier",
                "tests");
        assertEquals(Set.of("Code.one()I x1"), list(report, "direct"));
        assertEquals(Set.of("Code.one()I x1 depth 1", "Code.two()I x1 depth 2"), list(report, "closure"));
    }

    @Test
    void a_static_initialiser_hides_what_it_calls() throws Exception {
        String report = report(
                "public void tests() { int n = Lazy.NUMBER; } static class Lazy { static int NUMBER = Code.two(); }");
        assertEquals(Set.of(), list(report, "direct"));
        assertTrue(list(report, "closure").iterator().next().endsWith("initialiser"), report);
    }

    @Test
    void what_runs_before_the_test_is_not_recorded() throws Exception {
        assertEquals(Set.of(), direct("int before = Code.two(); public void tests() { }"));
    }

    @Test
    void variables_and_branches_survive_instrumentation() throws Exception {
        byte[] file = Compiled.of("public class Sums { public static long sum(long[] values, double factor) {"
                        + " long sum = 0; for (long value : values) { if (value > 1) { sum += value * factor; } else { sum--; } }"
                        + " return sum; } }")
                .files
                .get("Sums");
        Class<?> type = Compiled.loader(Map.of("Sums", instrument(file, false, Set.of())))
                .loadClass("Sums");
        assertEquals(9L, type.getMethod("sum", long[].class, double.class).invoke(null, new long[] {1, 2, 3}, 2.0));
    }

    @Test
    void a_method_that_is_left_out_stays_as_it_is() {
        byte[] file = Compiled.of("public class Plain { static void plain() { } }")
                .files
                .get("Plain");
        String left = new String(
                instrument(file, false, Set.of("plain()V", "<init>()V")), java.nio.charset.StandardCharsets.ISO_8859_1);
        assertFalse(left.contains("testevo/probe/Calls"));
    }

    @Test
    void a_class_that_cannot_be_instrumented_is_a_record_of_its_own() throws Exception {
        Path output = folder.resolve("report");
        new Report(output.toString()).uninstrumented("a.B", "a.B", "too \"new\"");
        assertEquals(
                List.of("{\"class\":\"a.B\",\"method\":\"\",\"parameters\":null,\"uninstrumented\":\"a.B\","
                        + "\"reason\":\"too \\u0022new\\u0022\"}"),
                Files.readAllLines(output));
    }
}

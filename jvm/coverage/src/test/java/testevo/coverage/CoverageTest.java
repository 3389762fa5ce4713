package testevo.coverage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.lang.reflect.InvocationTargetException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import testevo.lines.Fields;
import testevo.testing.Compiled;

/** A class is instrumented, run in this JVM, and analysed from what its probes noted. */
class CoverageTest {
    private static final String CODE = "package a;\npublic class Code {\n"
            + "  public static int half(int n) {\n"
            + "    if (n < 0) {\n"
            + "      throw new IllegalArgumentException();\n"
            + "    }\n"
            + "    return n / 2;\n"
            + "  }\n"
            + "  public static int divided(int n) {\n"
            + "    return 1 / n;\n"
            + "  }\n"
            + "}\n";

    @TempDir
    Path folder;

    private JsonObject request;
    private Path instrumented;

    @BeforeEach
    void compile() throws Exception {
        Compiled.of(CODE, "package a; public class Other { int n; }").into(folder.resolve("classes"));
        instrumented = Files.createDirectory(folder.resolve("instrumented"));
        JsonObject source = new JsonObject();
        source.addProperty("folder", folder.resolve("classes").toString());
        source.addProperty("package", "a");
        source.addProperty("file", "Code.java");
        JsonArray sources = new JsonArray();
        sources.add(source);
        request = new JsonObject();
        request.add("sources", sources);
        request.addProperty("output", instrumented.toString());
    }

    /** Instruments {@code a.Code} and calls a method of it; gives back the places of its lines. */
    private List<String> run(String method, int argument) throws Exception {
        List<String> places = Fields.texts(new Instrument().answer(request), "lines");
        java.util.Arrays.fill(Probes.LINES, false);
        Map<String, byte[]> files = new HashMap<>();
        files.put("a.Code", Files.readAllBytes(instrumented.resolve("a/Code.class")));
        try {
            Class<?> type = new ClassLoader(CoverageTest.class.getClassLoader()) {
                @Override
                protected Class<?> findClass(String name) {
                    byte[] file = files.get(name);
                    return defineClass(name, file, 0, file.length);
                }
            }.loadClass("a.Code");
            type.getMethod(method, int.class).invoke(null, argument);
        } catch (InvocationTargetException thrown) {
            // As in a test that expects it.
        }
        return places;
    }

    private List<String> entered(String method, int argument) throws Exception {
        List<String> places = run(method, argument);
        List<String> entered = new ArrayList<>();
        for (int i = 0; i < places.size(); i++) {
            if (Probes.LINES[i]) {
                entered.add(places.get(i));
            }
        }
        return entered;
    }

    /** Lines of which something ran, by the probes given. */
    private List<Integer> covered(String... probes) throws Exception {
        request.add("probes", Fields.array(List.of(probes)));
        List<Integer> covered = new ArrayList<>();
        for (JsonElement line :
                new Analyse().answer(request).getAsJsonObject("files").getAsJsonArray("a/Code.java")) {
            if (line.getAsJsonArray().get(1).getAsInt() > 0) {
                covered.add(line.getAsJsonArray().get(0).getAsInt());
            }
        }
        return covered;
    }

    @Test
    void only_classes_of_the_source_file_are_instrumented() throws Exception {
        assertEquals(
                "[\"a/Code\"]", new Instrument().answer(request).get("classes").toString());
    }

    @Test
    void an_instrumented_folder_is_marked() throws Exception {
        new Instrument().answer(request);
        assertTrue(Files.exists(instrumented.resolve("testevo.instrumented")));
    }

    @Test
    void lines_are_named_by_source_file() throws Exception {
        List<String> places = Fields.texts(new Instrument().answer(request), "lines");
        assertTrue(places.contains("a/Code.java:4"), places::toString);
    }

    @Test
    void entered_lines_are_noted() throws Exception {
        assertEquals(List.of("a/Code.java:4", "a/Code.java:7"), entered("half", 4));
    }

    @Test
    void a_line_that_an_exception_leaves_is_noted() throws Exception {
        assertEquals(List.of("a/Code.java:10"), entered("divided", 0));
    }

    @Test
    void a_line_that_creates_an_object_is_noted() throws Exception {
        assertEquals(List.of("a/Code.java:4", "a/Code.java:5"), entered("half", -1));
    }

    @Test
    void without_probes_nothing_ran() throws Exception {
        assertEquals(List.of(), covered());
    }

    @Test
    void probes_of_another_version_are_refused() {
        Exception error = assertThrows(IllegalArgumentException.class, () -> covered("a/Code 1 0"));
        assertTrue(error.getMessage().startsWith("another version ran of "));
    }

    @Test
    void a_line_that_is_no_probes_is_refused() {
        Exception error = assertThrows(IllegalArgumentException.class, () -> covered("a/Code"));
        assertEquals("no line of probes: a/Code", error.getMessage());
    }

    @Test
    void a_folder_that_is_not_there_has_no_classes() throws Exception {
        JsonObject source = request.getAsJsonArray("sources").get(0).getAsJsonObject();
        source.addProperty("folder", folder.resolve("gone").toString());
        assertEquals("[]", new Instrument().answer(request).get("classes").toString());
    }

    @Test
    void equal_classes_of_several_loaders_share_their_probes() {
        assertTrue(Probes.get(1, "shared/A", 3) == Probes.get(1, "shared/A", 3));
    }

    @Test
    void other_versions_of_a_class_have_probes_of_their_own() {
        assertTrue(Probes.get(1, "own/A", 3) != Probes.get(2, "own/A", 3));
    }

    @Test
    void outside_of_an_instrumented_folder_nothing_is_known() {
        assertEquals(null, Probes.taken());
    }
}

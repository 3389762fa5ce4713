package testevo.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import junit.framework.TestCase;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import testevo.testing.Compiled;

/** One test of JUnit 3 against mutants of the class it calls, in this JVM. */
class MutantRunsTest {
    private static final String CODE = "package a; public class Code { public static int two() { return %s; } }";
    private static final String OTHER = "package a; public class Other { int three() { return %s; } }";
    private static final String TESTS = "package a; public class CodeTest extends junit.framework.TestCase {"
            + " public void testTwo() { assertEquals(2, Code.two()); } }";

    private final Properties properties = System.getProperties();
    private final Request request = new Request();
    private Path folder;
    private Path channel;

    @BeforeEach
    void create() throws Exception {
        folder = Files.createTempDirectory("mutants");
        channel = Files.createTempFile("channel", null);
        Properties own = (Properties) properties.clone();
        for (String name : new String[] {"user.dir", "java.io.tmpdir", "user.home"}) {
            own.setProperty(name, folder.toString());
        }
        System.setProperties(own);
        Compiled.with(
                        List.of("-classpath", place(TestCase.class)),
                        String.format(CODE, "2"),
                        String.format(OTHER, "3"),
                        TESTS)
                .into(folder);
        request.classPath.addAll(List.of(folder.toString(), place(TestCase.class)));
        request.backEndPath.add(place(Main.class));
        request.backEnd = "junit3";
        Map<String, Object> selection = new HashMap<>();
        selection.put("text", "a.CodeTest");
        selection.put("class", "a.CodeTest");
        request.selections.add(selection);
        request.mutants = new MutantRequest();
        request.mutants.extraMillis = 60_000;
    }

    @AfterEach
    void delete() throws Exception {
        System.setProperties(properties);
        Files.delete(channel);
        Folders.delete(folder);
    }

    private static String place(Class<?> type) throws Exception {
        return new File(type.getProtectionDomain().getCodeSource().getLocation().toURI()).toString();
    }

    private void add(String name, String source) {
        request.mutants.classes.put(name, Compiled.of(source).files);
    }

    private void addUnmutated(String name) {
        request.mutants.classes.put(name, Collections.<String, byte[]>emptyMap());
    }

    /** Names of the runs, with the outcome of the test in each. */
    private List<String> run() throws Exception {
        assertTrue(new MutantRuns(request, new Channel(channel.toString(), false)).run());
        List<String> runs = new ArrayList<>();
        String name = null;
        for (String line : Files.readAllLines(channel)) {
            if (line.startsWith("{\"event\":\"mutant\"")) {
                name = line.replaceAll(".*\"name\":\"(.*)\".*", "$1");
            } else if (line.startsWith("{\"event\":\"finished\"")) {
                runs.add(name + ":" + line.replaceAll(".*\"outcome\":\"(\\w+)\".*", "$1"));
            }
        }
        return runs;
    }

    @Test
    void versions_run_in_the_order_of_the_request() throws Exception {
        addUnmutated("1");
        add("2", String.format(CODE, "1"));
        addUnmutated("3");
        add("4", String.format(CODE, "1 + 1"));
        assertEquals(List.of("1:passed", "2:assertion_failed", "3:passed", "4:passed"), run());
    }

    @Test
    void a_version_without_one_of_its_classes_fails_by_that() throws Exception {
        addUnmutated("1");
        request.mutants.classes.put("2", Collections.singletonMap("a.Code", new byte[0]));
        assertEquals(List.of("1:passed", "2:exception"), run());
    }

    @Test
    void a_mutant_of_a_class_that_the_first_run_has_not_loaded_does_not_run() throws Exception {
        addUnmutated("1");
        add("2", String.format(OTHER, "4"));
        addUnmutated("3");
        assertEquals(List.of("1:passed", "3:passed"), run());
        assertTrue(Files.readString(channel).contains("\"unreached\":[\"2\"]"));
    }
}

package testevo.maven;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Properties;
import java.util.TimeZone;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import testevo.lines.Fields;

class RunTest {
    private final Properties properties = (Properties) System.getProperties().clone();
    private final Locale locale = Locale.getDefault();
    private final TimeZone zone = TimeZone.getDefault();
    private final PrintStream out = System.out;

    @TempDir
    Path folder;

    private Run run;

    @BeforeEach
    void configure() throws Exception {
        Path configuration = Files.createFile(folder.resolve("m2.conf"));
        System.setProperty("classworlds.conf", configuration.toString());
        run = new Run();
    }

    @AfterEach
    void restore() {
        System.setProperties(properties);
        Locale.setDefault(locale);
        TimeZone.setDefault(zone);
        System.setOut(out);
    }

    private JsonObject run(String... arguments) throws Exception {
        JsonObject request = new JsonObject();
        request.addProperty("folder", "/project");
        request.add("arguments", Fields.array(List.of(arguments)));
        request.addProperty("stdout", folder.resolve("out").toString());
        request.addProperty("stderr", folder.resolve("err").toString());
        return run.answer(request);
    }

    private String output() throws Exception {
        return Files.readString(folder.resolve("out"));
    }

    @Test
    void the_status_is_that_of_maven() throws Exception {
        assertEquals(2, run("clean", "test").get("status").getAsInt());
    }

    @Test
    void output_and_errors_go_to_their_files() throws Exception {
        run("test");
        assertTrue(output().startsWith("test in /project, of /project, "), this::toString);
        assertEquals("a warning", Files.readString(folder.resolve("err")));
    }

    @Test
    void a_property_that_one_run_sets_is_gone_in_the_next() throws Exception {
        run("test");
        run("test");
        assertTrue(output().contains("colour null"));
    }

    @Test
    void a_locale_that_one_run_sets_is_gone_in_the_next() throws Exception {
        run("test");
        run("test");
        assertTrue(output().endsWith(locale.toString()));
    }

    @Test
    void an_extension_is_loaded_in_run_after_run() throws Exception {
        run("extension");
        assertEquals(1, run("extension").get("status").getAsInt());
    }

    @Test
    void standard_output_is_as_before() throws Exception {
        run("test");
        assertSame(out, System.out);
    }

    @Test
    void standard_output_is_as_before_also_where_maven_throws() {
        assertThrows(InvocationTargetException.class, () -> run("throw"));
        assertSame(out, System.out);
    }

    @Test
    void the_class_loader_of_the_thread_is_as_before() throws Exception {
        run("test");
        assertSame(ClassLoader.getSystemClassLoader(), Thread.currentThread().getContextClassLoader());
    }

    @Test
    void an_answer_says_whether_the_jvm_is_worn() throws Exception {
        assertEquals(false, run("test").get("recycle").getAsBoolean());
    }
}

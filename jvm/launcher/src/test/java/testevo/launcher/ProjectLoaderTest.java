package testevo.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import testevo.testing.Compiled;

class ProjectLoaderTest {
    private static final String ORIGINAL =
            "package a; public class B { public static String say() { return \"old\"; } }";
    private static final String MUTANT = "package a; public class B { public static String say() { return \"new\"; } }";

    private final Request request = new Request();
    private Path folder;

    @BeforeEach
    void compile() throws Exception {
        folder = Compiled.of(ORIGINAL).into(Files.createTempDirectory("classes"));
        request.classPath.add(folder.toString());
    }

    @AfterEach
    void delete() {
        Folders.delete(folder);
    }

    private static Object say(ClassLoader loader) throws Exception {
        return loader.loadClass("a.B").getMethod("say").invoke(null);
    }

    @Test
    void classes_come_from_the_class_path_of_the_request() throws Exception {
        try (ProjectLoader loader = ProjectLoader.over(request)) {
            assertEquals("old", say(loader));
        }
    }

    @Test
    void a_replaced_class_comes_instead() throws Exception {
        try (ProjectLoader loader = ProjectLoader.over(request, Compiled.of(MUTANT).files)) {
            assertEquals("new", say(loader));
        }
    }

    @Test
    void a_replaced_class_keeps_its_package_and_place() throws Exception {
        try (ProjectLoader loader = ProjectLoader.over(request, Compiled.of(MUTANT).files)) {
            Class<?> type = loader.loadClass("a.B");
            assertEquals("a", type.getPackage().getName());
            assertEquals(
                    folder.toUri().toURL(),
                    type.getProtectionDomain().getCodeSource().getLocation());
        }
    }

    @Test
    void an_empty_class_file_is_a_class_that_is_not_there() throws Exception {
        Map<String, byte[]> gone = Collections.singletonMap("a.B", new byte[0]);
        try (ProjectLoader loader = ProjectLoader.over(request, gone)) {
            assertThrows(ClassNotFoundException.class, () -> loader.loadClass("a.B"));
        }
    }

    @Test
    void it_knows_what_it_has_loaded() throws Exception {
        try (ProjectLoader loader = ProjectLoader.over(request)) {
            assertFalse(loader.hasLoaded("a.B"));
            say(loader);
            assertTrue(loader.hasLoaded("a.B"));
        }
    }

    @Test
    void the_launcher_is_out_of_sight() throws Exception {
        try (ProjectLoader loader = ProjectLoader.over(request)) {
            assertThrows(ClassNotFoundException.class, () -> loader.loadClass(Main.class.getName()));
        }
    }

    @Test
    void back_ends_are_in_sight() throws Exception {
        File classes = new File(
                Main.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        request.backEndPath.add(classes.toString());
        try (ProjectLoader loader = ProjectLoader.over(request)) {
            assertNotEquals(Main.class, loader.loadClass(Main.class.getName()));
        }
    }
}

package testevo.probe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConfigurationTest {
    @TempDir
    Path folder;

    private Configuration read(String... lines) throws IOException {
        Path file = folder.resolve("configuration");
        Files.write(file, List.of(lines));
        return Configuration.read(file.toString());
    }

    @Test
    void a_root_of_tests_holds_tests() throws IOException {
        Configuration configuration = read("output /o", "test " + folder, "production /p");
        assertEquals(true, configuration.holdsTests(folder.toUri().toURL()));
    }

    @Test
    void a_root_of_production_code_holds_none() throws IOException {
        Configuration configuration = read("output /o", "production " + folder);
        assertEquals(false, configuration.holdsTests(folder.toUri().toURL()));
    }

    @Test
    void any_other_place_is_neither() throws IOException {
        Configuration configuration = read("output /o", "production /p");
        assertNull(configuration.holdsTests(folder.toUri().toURL()));
    }

    @Test
    void a_place_in_no_file_is_neither() throws IOException {
        assertNull(read("output /o").holdsTests(new URL("https://example.org/classes/")));
    }

    @Test
    void a_link_and_its_target_are_the_same_root() throws IOException {
        Path target = Files.createDirectory(folder.resolve("target"));
        Path link = Files.createSymbolicLink(folder.resolve("link"), target);
        Configuration configuration = read("output /o", "test " + link);
        assertEquals(true, configuration.holdsTests(target.toUri().toURL()));
    }

    @Test
    void a_folder_with_a_space_is_found() throws IOException {
        Path spaced = Files.createDirectory(folder.resolve("two words"));
        Configuration configuration = read("output /o", "test " + spaced);
        assertEquals(true, configuration.holdsTests(spaced.toUri().toURL()));
    }

    @Test
    void a_class_of_a_root_that_comes_from_elsewhere_is_found_there() throws IOException {
        Path root = Files.createDirectory(folder.resolve("root"));
        Files.createFile(Files.createDirectory(root.resolve("a")).resolve("B.class"));
        Configuration configuration = read("output /o", "production " + root);
        assertEquals(root.toRealPath().toFile(), configuration.otherRoot(null, "a/B"));
        assertEquals(
                root.toRealPath().toFile(),
                configuration.otherRoot(folder.toUri().toURL(), "a/B"));
        assertNull(configuration.otherRoot(root.toUri().toURL(), "a/B"));
        assertNull(configuration.otherRoot(null, "a/C"));
    }

    @Test
    void a_class_of_a_root_that_a_library_has_too_comes_from_the_library() throws IOException {
        Path root = Files.createDirectory(folder.resolve("root"));
        Files.createFile(Files.createDirectory(root.resolve("a")).resolve("B.class"));
        Path jar = folder.resolve("library.jar");
        try (JarOutputStream stream = new JarOutputStream(Files.newOutputStream(jar))) {
            stream.putNextEntry(new JarEntry("a/B.class"));
        }
        assertNull(read("output /o", "production " + root).otherRoot(jar.toUri().toURL(), "a/B"));
    }

    @Test
    void the_output_is_required() {
        assertThrows(IllegalArgumentException.class, () -> read("test /t"));
    }

    @Test
    void an_unknown_key_is_refused() {
        assertThrows(IllegalArgumentException.class, () -> read("output /o", "colour red"));
    }
}

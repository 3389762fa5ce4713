package testevo.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import testevo.testing.Compiled;

class ClassFolderTest {
    private static ClassFolder of(String members) throws IOException {
        return ClassFolder.of(
                Compiled.of("public class A { " + members + " }").files.values());
    }

    @Test
    void an_anonymous_class_goes_by_what_it_implements() throws IOException {
        assertEquals(
                "A$~java/lang/Runnable",
                of("Object o = new Runnable() { public void run() { } };").map("A$1"));
    }

    @Test
    void an_anonymous_class_without_interfaces_goes_by_its_super_class() throws IOException {
        assertEquals("A$~java/lang/Thread", of("Object o = new Thread() { };").map("A$1"));
    }

    @Test
    void a_local_class_goes_by_its_name_without_its_number() throws IOException {
        assertEquals("A$~B", of("void f() { class B { } } ").map("A$1B"));
    }

    @Test
    void a_member_of_a_local_class_goes_by_that() throws IOException {
        assertEquals("A$~B$C", of("void f() { class B { class C { } } }").map("A$1B$C"));
    }

    @Test
    void a_member_class_keeps_its_name() throws IOException {
        assertEquals("A$B", of("class B { }").map("A$B"));
    }

    @Test
    void a_class_of_elsewhere_keeps_its_name() throws IOException {
        assertEquals("java/lang/Object", of("").map("java/lang/Object"));
    }

    @Test
    void only_classes_inside_of_methods_are_local() throws IOException {
        ClassFolder classes = of("class B { } void f() { class C { } }");
        assertFalse(classes.isLocal("A$B"));
        assertTrue(classes.isLocal("A$1C"));
    }

    @Test
    void a_method_is_found_by_name_and_descriptor() throws IOException {
        assertEquals("f", of("void f(int n) { }").method("A", "f", "(I)V").name);
        assertNull(of("void f(int n) { }").method("A", "f", "()V"));
    }

    @Test
    void a_file_that_is_no_class_is_named() {
        Exception error = assertThrows(IOException.class, () -> ClassFolder.read(new byte[] {1, 2, 3}, "a/B.class"));
        assertEquals("a/B.class is no class file that can be read", error.getMessage());
    }

    @Test
    void a_folder_that_is_not_there_has_no_classes() throws IOException {
        assertEquals(0, ClassFolder.read(Path.of("/no/such/folder")).all().size());
    }

    @Test
    void versions_for_later_jvms_are_no_classes_of_the_folder() {
        Path folder = Path.of("classes");
        assertTrue(ClassFolder.isClass(folder, folder.resolve("a/B.class")));
        for (String name : List.of("META-INF/versions/11/a/B.class", "module-info.class", "a/B.txt")) {
            assertFalse(ClassFolder.isClass(folder, folder.resolve(name)), name);
        }
    }
}

package testevo.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import testevo.lines.Fields;
import testevo.testing.Compiled;

class ReferencesTest {
    private final References references = new References();

    @TempDir
    Path folder;

    private JsonObject answer(Path... folders) throws Exception {
        JsonObject request = new JsonObject();
        List<String> names = new java.util.ArrayList<>();
        for (Path each : folders) {
            names.add(each.toString());
        }
        request.add("folders", Fields.array(names));
        return references.answer(request);
    }

    private Map<String, JsonObject> classes(String... sources) throws Exception {
        return classes(answer(Compiled.of(sources).into(folder)));
    }

    private static Map<String, JsonObject> classes(JsonObject answer) {
        Map<String, JsonObject> classes = new TreeMap<>();
        for (JsonElement element : answer.getAsJsonArray("classes")) {
            classes.put(element.getAsJsonObject().get("name").getAsString(), element.getAsJsonObject());
        }
        return classes;
    }

    private String named(String body) throws Exception {
        return classes("class B { static class In { } }", "class A { " + body + " }")
                .get("A")
                .get("references")
                .toString();
    }

    private boolean readsCode(String body) throws Exception {
        return classes("class A { " + body + " }").get("A").get("readsCode").getAsBoolean();
    }

    private String digest(Compiled compiled) throws Exception {
        Path place = compiled.into(Files.createTempDirectory(folder, "classes"));
        return classes(answer(place)).get("A").get("digest").getAsString();
    }

    @Test
    void annotations_count_in_the_digest_of_a_class_and_debug_data_do_not() throws Exception {
        String plain = "class A { int f() { return 1; } }";
        String without = digest(Compiled.with(List.of("-g:none"), plain));
        assertEquals(without, digest(Compiled.of("\n" + plain)));
        assertNotEquals(without, digest(Compiled.of("class A { @Deprecated int f() { return 1; } }")));
    }

    @Test
    void names_of_parameters_count_where_programs_see_them() throws Exception {
        String one = "class A { int f(int a) { return 1; } }";
        String other = one.replace("int a", "int b");
        assertEquals(digest(Compiled.of(one)), digest(Compiled.of(other)));
        List<String> kept = List.of("-parameters");
        assertNotEquals(digest(Compiled.with(kept, one)), digest(Compiled.with(kept, other)));
        assertEquals(digest(Compiled.with(kept, one)), digest(Compiled.with(kept, one)));
    }

    @Test
    void a_class_that_looks_for_services_or_documents_reads_code() throws Exception {
        assertTrue(readsCode("Object f() { return java.util.ServiceLoader.load(A.class); }"));
        assertTrue(readsCode("Object f() { return \"docs/guide\"; }"));
        assertTrue(readsCode("Object f() { return \"META-INF/services/a.B\"; }"));
    }

    @Test
    void a_class_that_finds_classes_by_name_reads_code() throws Exception {
        assertTrue(readsCode("Object f(String name) throws Exception { return Class.forName(name); }"));
        assertTrue(readsCode("Object f(ClassLoader one) throws Exception { return one.loadClass(\"B\"); }"));
        assertFalse(readsCode("Object f(String name) { return java.nio.charset.Charset.forName(name); }"));
    }

    @Test
    void a_class_names_itself() throws Exception {
        assertEquals("[\"A\"]", named(""));
    }

    @Test
    void a_type_in_a_signature_is_named() throws Exception {
        assertEquals("[\"A\",\"B\"]", named("java.util.List<B> list;"));
    }

    @Test
    void a_type_behind_primitive_ones_in_a_descriptor_is_named() throws Exception {
        assertEquals("[\"A\",\"B\"]", named("void f(int a, long b, B c) { }"));
    }

    @Test
    void a_name_in_a_text_is_named() throws Exception {
        assertEquals("[\"A\",\"B\"]", named("Object f() { return \"load B now\"; }"));
    }

    @Test
    void a_member_class_is_named_with_its_outer_class() throws Exception {
        assertEquals("[\"A\",\"B\",\"B$In\"]", named("Object f() { return new B.In(); }"));
    }

    @Test
    void a_part_of_a_word_is_no_name() throws Exception {
        assertEquals("[\"A\"]", named("Object f() { return \"BB\"; }"));
    }

    @Test
    void a_class_that_names_a_source_file_reads_code() throws Exception {
        assertTrue(readsCode("Object f() { return \"src/main/java\"; }"));
    }

    @Test
    void a_class_that_asks_for_lines_reads_code() throws Exception {
        assertTrue(readsCode("int f() { return new Throwable().getStackTrace()[0].getLineNumber(); }"));
    }

    @Test
    void another_text_does_not_read_code() throws Exception {
        assertFalse(readsCode("Object f() { return \"sources\"; }"));
    }

    @Test
    void the_first_folder_with_a_class_counts() throws Exception {
        Path one = Compiled.of("class A { int n = 1; }").into(folder.resolve("one"));
        Path two = Compiled.of("class A { int n = 2; }").into(folder.resolve("two"));
        assertEquals(
                classes(answer(one)).get("A").get("digest"),
                classes(answer(one, two)).get("A").get("digest"));
    }

    @Test
    void the_name_of_a_resource_counts() throws Exception {
        Path one = Files.createDirectories(folder.resolve("one"));
        Path two = Files.createDirectories(folder.resolve("two"));
        Files.writeString(one.resolve("a.txt"), "text");
        Files.writeString(two.resolve("b.txt"), "text");
        assertNotEquals(answer(one).get("resources"), answer(two).get("resources"));
    }

    @Test
    void a_file_that_is_only_called_a_class_is_a_resource() throws Exception {
        Files.writeString(folder.resolve("A.class"), "no class");
        assertEquals(Map.of(), classes(answer(folder)));
    }

    @Test
    void a_module_descriptor_is_no_class() throws Exception {
        Files.write(
                folder.resolve("module-info.class"),
                Compiled.of("class A { }").files.get("A"));
        assertEquals(Map.of(), classes(answer(folder)));
    }
}

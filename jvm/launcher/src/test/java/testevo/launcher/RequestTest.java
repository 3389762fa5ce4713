package testevo.launcher;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RequestTest {
    private static Request read(String... lines) throws IOException {
        Path file = Files.createTempFile("request", null);
        try {
            Files.write(file, List.of(lines));
            return Request.read(file.toString());
        } finally {
            Files.delete(file);
        }
    }

    private static Map<String, Object> selected(String text) throws IOException {
        return read("backend junit4", "select-method " + text).selections.get(0);
    }

    private static String refusal(String line) {
        return assertThrows(IllegalArgumentException.class, () -> read("backend junit4", line))
                .getMessage();
    }

    @Test
    void a_request_without_a_back_end_is_refused() {
        assertThrows(IllegalArgumentException.class, () -> read("select-class a.T"));
    }

    @Test
    void class_path_entries_keep_their_order_and_their_spaces() throws IOException {
        Request request = read("backend junit4", "class-path /b c", "backend-path /x", "class-path /a");
        assertEquals(List.of("/b c", "/a"), request.classPath);
        assertEquals(List.of("/x"), request.backEndPath);
    }

    @Test
    void the_class_path_is_joined_as_the_jvm_writes_it() throws IOException {
        Request request = read("backend junit4", "class-path /b", "class-path /a");
        assertEquals("/b" + File.pathSeparator + "/a", request.joinedClassPath());
    }

    @Test
    void every_selection_has_the_tags_of_the_request() throws IOException {
        Request request = read("backend platform", "select-class a.T", "include-tag quick", "exclude-tag a.b.Net");
        assertEquals(List.of("quick"), request.selections.get(0).get("includedTags"));
        assertEquals(List.of("a.b.Net"), request.selections.get(0).get("excludedTags"));
        assertEquals(false, request.selections.get(0).get("olderCategories"));
        Request older = read("backend junit4", "select-class a.T", "include-tag a.Quick", "older-categories true");
        assertEquals(true, older.selections.get(0).get("olderCategories"));
    }

    @Test
    void every_selection_has_the_text_of_parameters_line_by_line() throws IOException {
        Request request = read(
                "backend platform",
                "select-class a.T",
                "configuration-parameters a = b",
                "configuration-parameters ",
                "configuration-parameters   c");
        assertEquals(List.of("a = b", "", "  c"), request.selections.get(0).get("configurationParameters"));
    }

    @Test
    void switches_are_off_unless_they_are_true() throws IOException {
        Request request = read("backend junit4", "coverage yes");
        assertFalse(request.coverage || request.probeHook || request.onClassPath);
    }

    @Test
    void switches_can_be_turned_on() throws IOException {
        Request request = read("backend junit4", "coverage true", "probe-hook true", "on-class-path true");
        assertTrue(request.coverage && request.probeHook && request.onClassPath);
    }

    @Test
    void a_class_is_selected_without_a_method() throws IOException {
        Map<String, Object> selection =
                read("backend junit4", "select-class a.T").selections.get(0);
        assertEquals("a.T", selection.get("class"));
        assertNull(selection.get("method"));
    }

    @Test
    void a_method_without_parentheses_may_have_any_parameters() throws IOException {
        Map<String, Object> selection = selected("a.T#tests");
        assertEquals("tests", selection.get("method"));
        assertNull(selection.get("parameters"));
    }

    @Test
    void empty_parentheses_mean_no_parameters() throws IOException {
        assertArrayEquals(new String[0], (String[]) selected("a.T#tests()").get("parameters"));
    }

    @Test
    void parameter_types_are_split_at_commas_and_trimmed() throws IOException {
        String[] expected = {"int", "java.lang.String[]"};
        assertArrayEquals(expected, (String[])
                selected("a.T#tests(int, java.lang.String[])").get("parameters"));
    }

    @Test
    void a_selection_keeps_its_own_text() throws IOException {
        assertEquals("a.T#tests(int)", selected("a.T#tests(int)").get("text"));
    }

    @Test
    void a_method_without_a_class_is_refused() {
        assertEquals("select-method wants <class>#<method>(<types>), got tests", refusal("select-method tests"));
    }

    @Test
    void an_open_parenthesis_is_refused() {
        assertEquals(
                "select-method without its closing parenthesis: a.T#tests(int", refusal("select-method a.T#tests(int"));
    }

    @Test
    void an_unknown_key_is_named() {
        assertEquals("unknown key in the request: colour red", refusal("colour red"));
    }

    @Test
    void an_unknown_key_about_mutants_is_named() {
        assertEquals("unknown key in the request: mutant-colour red", refusal("mutant-colour red"));
    }

    @Test
    void a_request_without_mutants_has_none() throws IOException {
        assertNull(read("backend junit4").mutants);
    }

    @Test
    void blank_lines_are_passed_over() throws IOException {
        assertEquals("platform", read("", "backend platform ", "  ").backEnd);
    }

    @Test
    void a_file_may_end_without_a_line_break() throws IOException {
        Path file = Files.createTempFile("request", null);
        Files.writeString(file, "one\n\nthree");
        assertEquals(List.of("one", "", "three"), Request.lines(file.toString()));
        Files.delete(file);
    }
}

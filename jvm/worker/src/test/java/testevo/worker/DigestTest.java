package testevo.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import testevo.testing.Compiled;

class DigestTest {
    @TempDir
    Path folder;

    private JsonArray described(Compiled compiled) throws Exception {
        JsonObject request = new JsonObject();
        request.addProperty(
                "folder",
                compiled.into(Files.createTempDirectory(folder, "classes")).toString());
        return new Digest().answer(request).getAsJsonArray("methods");
    }

    private String digest(Compiled compiled) throws Exception {
        for (JsonElement element : described(compiled)) {
            JsonObject method = element.getAsJsonObject();
            if (method.get("class").getAsString().equals("A")
                    && method.get("name").getAsString().equals("f")) {
                return method.get("digest").getAsString();
            }
        }
        throw new IllegalArgumentException("no method f");
    }

    private String method(String members) throws Exception {
        return digest(Compiled.of("public class A { " + members + " }"));
    }

    private void assertSame(String before, String after) throws Exception {
        assertEquals(method(before), method(after));
    }

    private void assertDiffers(String before, String after) throws Exception {
        assertNotEquals(method(before), method(after));
    }

    @Test
    void lines_do_not_count() throws Exception {
        assertSame("int f() { return 1; }", "\n\nint f()\n { return\n 1; }");
    }

    @Test
    void names_of_variables_do_not_count() throws Exception {
        assertSame("int f(int a) { int b = a; return b; }", "int f(int x) { int y = x; return y; }");
    }

    @Test
    void its_own_name_and_visibility_do_not_count_but_static_does() throws Exception {
        assertSame("int f() { return 1; }", "public int f() { return 1; }");
        assertDiffers("int f() { return 1; }", "static int f() { return 1; }");
    }

    @Test
    void a_constant_counts() throws Exception {
        assertDiffers("int f() { return 1; }", "int f() { return 2; }");
    }

    @Test
    void a_text_counts_also_where_words_move_between_constants() throws Exception {
        assertDiffers("Object f() { return \"a b\"; }", "Object f() { return \"a  b\"; }");
    }

    @Test
    void the_called_method_counts() throws Exception {
        assertDiffers(
                "int f() { return g(); } int g() { return 1; } int h() { return 1; }",
                "int f() { return h(); } int g() { return 1; } int h() { return 1; }");
    }

    @Test
    void what_a_called_method_does_does_not_count() throws Exception {
        assertSame("int f() { return g(); } int g() { return 1; }", "int f() { return g(); } int g() { return 2; }");
    }

    @Test
    void a_lambda_elsewhere_does_not_count() throws Exception {
        assertSame(
                "Runnable f() { return () -> f(); }",
                "Runnable e() { return () -> { }; } Runnable f() { return () -> f(); }");
    }

    @Test
    void the_body_of_its_own_lambda_counts() throws Exception {
        assertDiffers("Runnable f() { return () -> f(); }", "Runnable f() { return () -> hashCode(); }");
    }

    @Test
    void an_anonymous_class_elsewhere_does_not_count() throws Exception {
        String own = "Object f() { return new Object() { public String toString() { return \"a\"; } }; }";
        assertSame(own, "Object e = new Object() { }; " + own);
    }

    @Test
    void the_body_of_its_own_anonymous_class_counts() throws Exception {
        assertDiffers(
                "Object f() { return new Object() { public String toString() { return \"a\"; } }; }",
                "Object f() { return new Object() { public String toString() { return \"b\"; } }; }");
    }

    @Test
    void an_earlier_switch_over_the_same_enum_does_not_count() throws Exception {
        String colour = "enum Colour { RED, BLUE } ";
        String f = "int f(Colour c) { switch (c) { case BLUE: return 1; default: return 0; } }";
        assertSame(
                colour + f, colour + "int e(Colour c) { switch (c) { case RED: return 1; default: return 0; } } " + f);
    }

    @Test
    void another_constant_of_a_switch_over_an_enum_counts() throws Exception {
        String colour = "enum Colour { RED, BLUE } ";
        String f = "int f(Colour c) { switch (c) { case %s: return 1; default: return 0; } }";
        assertDiffers(colour + String.format(f, "RED"), colour + String.format(f, "BLUE"));
    }

    @Test
    void an_access_method_of_an_old_level_is_read_where_it_is_used() throws Exception {
        List<String> old = List.of("--release", "8");
        String source =
                "public class A { %s private int n; class B { int g() { return n; } } int f() { return n; } class C { int h() { return e(); } } private int e() { return 1; } }";
        assertEquals(
                digest(Compiled.with(old, String.format(source, ""))),
                digest(Compiled.with(old, String.format(source, "private int m; class D { int i() { return m; } }"))));
    }

    @Test
    void a_handler_counts() throws Exception {
        assertDiffers(
                "int f() { try { return hashCode(); } catch (IllegalStateException e) { return 0; } }",
                "int f() { try { return hashCode(); } catch (IllegalArgumentException e) { return 0; } }");
    }

    @Test
    void methods_that_the_compiler_made_up_are_left_out() throws Exception {
        assertEquals(
                2,
                described(Compiled.of("public class A { Runnable f() { return () -> f(); } }"))
                        .size());
    }
}

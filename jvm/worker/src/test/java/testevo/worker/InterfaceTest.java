package testevo.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import org.junit.jupiter.api.Test;
import testevo.testing.Compiled;

class InterfaceTest {
    private static String digest(String members) {
        return Interface.digest(
                Compiled.of("public class A { " + members + " }").files.get("A"), "");
    }

    private static String ofClass(String members, String name) {
        return Interface.digest(
                Compiled.of("public class A { " + members + " }").files.get(name), "");
    }

    @Test
    void code_of_methods_does_not_count() {
        assertEquals(digest("int f() { return 1; }"), digest("int f() { return 2 + hashCode(); }"));
    }

    @Test
    void a_private_method_counts_because_messages_may_name_it() {
        assertNotEquals(digest(""), digest("private void f() { }"));
    }

    @Test
    void the_type_of_a_method_counts() {
        assertNotEquals(digest("int f() { return 1; }"), digest("long f() { return 1; }"));
    }

    @Test
    void the_value_of_a_constant_counts() {
        assertNotEquals(digest("static final int N = 1;"), digest("static final int N = 2;"));
    }

    @Test
    void an_annotation_counts() {
        assertNotEquals(digest("void f() { }"), digest("@Deprecated void f() { }"));
    }

    @Test
    void lambdas_do_not_count() {
        assertEquals(digest("Object f() { return null; }"), digest("Object f() { return (Runnable) () -> { }; }"));
    }

    @Test
    void classes_that_code_names_do_not_count() {
        assertEquals(
                digest("Object f() { return null; }"),
                digest("Object f() { return java.util.Map.Entry.comparingByKey(); }"));
    }

    @Test
    void member_types_count() {
        assertNotEquals(digest(""), digest("class B { }"));
    }

    @Test
    void further_text_counts() {
        byte[] file = Compiled.of("public class A { }").files.get("A");
        assertNotEquals(Interface.digest(file, ""), Interface.digest(file, "f() final a"));
    }

    @Test
    void an_anonymous_class_can_be_named_by_nobody() {
        assertNull(ofClass("Object o = new Object() { };", "A$1"));
    }

    @Test
    void a_member_of_a_local_class_can_be_named_by_nobody() {
        assertNull(ofClass("void f() { class B { class C { } } }", "A$1B$C"));
    }

    @Test
    void a_member_class_can_be_named() {
        assertNotNull(ofClass("class B { }", "A$B"));
    }
}

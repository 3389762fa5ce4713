package testevo.launcher.backend;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DeclaredTest {
    interface Shape<T> {
        default void draw(T with) {}

        void area();
    }

    static class Base {
        void overridden() {}

        private void hidden() {}

        void inherited(int count) {}
    }

    static class Derived extends Base implements Shape<String> {
        @Override
        void overridden() {}

        private void hidden() {}

        void inherited(String name) {}

        @Override
        public void draw(String with) {}

        @Override
        public void area() {}

        void types(int[] numbers, Map.Entry<String, String>[][] entries, long wide) {}

        void variable(String... names) {}

        void same(java.util.Date date) {}

        void same(java.sql.Date date) {}
    }

    abstract static class Partial implements Shape<String> {}

    private static List<Method> methods(String name) {
        return Declared.methods(Derived.class, name);
    }

    private static Method method(String name) {
        return methods(name).get(0);
    }

    private static List<String> owners(List<Method> methods) {
        List<String> owners = new ArrayList<>();
        methods.forEach(method -> owners.add(method.getDeclaringClass().getSimpleName()));
        return owners;
    }

    private static int fitting(String name, String... parameters) {
        return Declared.withParameters(methods(name), parameters).size();
    }

    @Test
    void an_overridden_method_is_left_out() {
        assertEquals(List.of("Derived"), owners(methods("overridden")));
    }

    @Test
    void a_private_method_of_a_super_class_hides_behind_one_of_equal_parameters() {
        assertEquals(List.of("Derived"), owners(methods("hidden")));
    }

    @Test
    void overloads_are_found_in_super_classes_too() {
        assertEquals(List.of("Derived", "Base"), owners(methods("inherited")));
    }

    @Test
    void bridges_are_left_out() {
        assertEquals(List.of("Derived", "Shape"), owners(methods("draw")));
    }

    @Test
    void an_abstract_method_counts_where_there_is_no_other() {
        assertEquals(List.of("Shape"), owners(Declared.methods(Partial.class, "area")));
    }

    @Test
    void an_unknown_name_has_no_methods() {
        assertEquals(List.of(), methods("unknown"));
    }

    @Test
    void parameters_are_erased_binary_names_with_brackets() {
        String[] expected = {"int[]", "java.util.Map$Entry[][]", "long"};
        assertArrayEquals(expected, Declared.parameters(method("types")));
    }

    @Test
    void without_wanted_types_every_candidate_fits() {
        assertEquals(2, Declared.withParameters(methods("inherited"), null).size());
    }

    @Test
    void qualified_names_tell_overloads_apart() {
        assertEquals(1, fitting("same", "java.util.Date"));
    }

    @Test
    void simple_names_may_fit_several() {
        assertEquals(2, fitting("same", "Date"));
    }

    @Test
    void nested_types_fit_by_their_last_name() {
        assertEquals(1, fitting("types", "int[]", "Entry[][]", "long"));
    }

    @Test
    void another_number_of_parameters_does_not_fit() {
        assertEquals(0, fitting("types", "int[]", "Entry[][]"));
    }

    @Test
    void dots_of_variable_parameters_are_brackets() {
        assertEquals(1, fitting("variable", "String..."));
    }

    @Test
    void arrays_may_be_written_as_the_jvm_names_them() {
        assertEquals(1, fitting("types", "[I", "[[Ljava.util.Map$Entry;", "long"));
    }

    @Test
    void names_are_trimmed_before_they_are_made_readable() {
        String[] expected = {"boolean[][]", "a.B[]", "c.D"};
        assertArrayEquals(expected, Declared.readable(new String[] {" [[Z", "[La.B; ", "c.D"}));
    }

    @Test
    void a_description_lists_all_candidates() {
        assertEquals("inherited(java.lang.String), inherited(int)", Declared.describe(methods("inherited")));
    }
}

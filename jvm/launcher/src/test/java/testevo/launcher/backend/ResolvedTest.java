package testevo.launcher.backend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ResolvedTest {
    /** Initialising it would show. */
    static class Tests {
        static {
            initialised = true;
        }

        void one() {}

        void two(java.util.Date date) {}

        void two(java.sql.Date date) {}
    }

    private static boolean initialised;

    private final ClassLoader before = Thread.currentThread().getContextClassLoader();
    private final List<Map<String, Object>> told = new ArrayList<>();

    @AfterEach
    void restore() {
        Thread.currentThread().setContextClassLoader(before);
    }

    private Resolved resolve(String type, String method, String... parameters) {
        Map<String, Object> fields = new HashMap<>();
        fields.put("text", "the selection");
        fields.put("class", type);
        fields.put("method", method);
        fields.put("parameters", parameters.length == 0 ? null : parameters);
        return Resolved.of(new Selection(fields), new Events(told::add));
    }

    private String reason() {
        assertEquals(1, told.size());
        assertEquals("the selection", told.get(0).get("selection"));
        return told.get(0).get("event") + ": " + told.get(0).get("reason");
    }

    @Test
    void a_class_is_loaded_and_not_initialised() {
        assertEquals(Tests.class, resolve(Tests.class.getName(), null).type);
        assertEquals(false, initialised);
    }

    @Test
    void a_method_is_found_by_its_name_alone() {
        assertEquals("one", resolve(Tests.class.getName(), "one").method.getName());
    }

    @Test
    void one_overload_is_found_by_its_parameters() {
        Resolved found = resolve(Tests.class.getName(), "two", "java.util.Date");
        assertEquals(java.util.Date.class, found.method.getParameterTypes()[0]);
    }

    @Test
    void a_missing_class_is_told() {
        assertNull(resolve("a.Gone", null));
        assertEquals("not_found: there is no class a.Gone", reason());
    }

    @Test
    void a_missing_method_is_told() {
        assertNull(resolve(Tests.class.getName(), "gone"));
        assertEquals("not_found: there is no such method in " + Tests.class.getName(), reason());
    }

    @Test
    void a_method_of_other_parameters_is_told_with_those_there_are() {
        assertNull(resolve(Tests.class.getName(), "one", "int"));
        assertEquals("not_found: there is no such method in " + Tests.class.getName() + "; there is one()", reason());
    }

    @Test
    void several_methods_that_fit_are_told() {
        assertNull(resolve(Tests.class.getName(), "two"));
        assertEquals(
                "not_found: several methods fit, name the parameter types in full: "
                        + "two(java.util.Date), two(java.sql.Date)",
                reason().replaceAll(
                                "two\\(java.sql.Date\\), two\\(java.util.Date\\)",
                                "two(java.util.Date), two(java.sql.Date)"));
    }

    @Test
    void a_class_that_cannot_be_linked_is_a_failed_discovery() {
        Thread.currentThread().setContextClassLoader(new ClassLoader() {
            @Override
            public Class<?> loadClass(String name) {
                throw new NoClassDefFoundError("a/Missing");
            }
        });
        assertNull(resolve("a.Broken", null));
        assertEquals("discovery_failed: java.lang.NoClassDefFoundError: a/Missing", reason());
    }
}

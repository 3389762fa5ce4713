package testevo.probe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class RegistryTest {
    private static MethodInfo method(String type, String name) {
        return new MethodInfo(type, "java/lang/Object", name, "()V", null, false, Kind.PRODUCTION_METHOD, false);
    }

    @Test
    void a_method_is_found_by_its_number() {
        MethodInfo method = method("registry/A", "a");
        assertSame(method, Registry.at(Registry.add(method)));
    }

    @Test
    void a_second_loader_gets_the_same_number() {
        assertEquals(Registry.add(method("registry/B", "a")), Registry.add(method("registry/B", "a")));
    }

    @Test
    void other_methods_get_other_numbers() {
        assertNotEquals(Registry.add(method("registry/C", "a")), Registry.add(method("registry/C", "b")));
    }

    @Test
    void there_is_room_for_many_methods() {
        int last = 0;
        for (int i = 0; i < 3000; i++) {
            last = Registry.add(method("registry/Many", "m" + i));
        }
        assertEquals("m2999", Registry.at(last).name);
    }

    @Test
    void a_type_inherits_from_itself() {
        assertTrue(Registry.inherits("registry/Unknown", "registry/Unknown"));
    }

    @Test
    void a_type_inherits_through_super_types_and_interfaces() {
        Registry.addType("registry/Bottom", "registry/Middle", new String[0]);
        Registry.addType("registry/Middle", "java/lang/Object", new String[] {"registry/Top"});
        assertTrue(Registry.inherits("registry/Bottom", "registry/Top"));
    }

    @Test
    void a_type_does_not_inherit_from_its_subtypes() {
        Registry.addType("registry/Child", "registry/Parent", new String[0]);
        assertFalse(Registry.inherits("registry/Parent", "registry/Child"));
    }
}

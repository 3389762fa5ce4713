package testevo.launcher.junit4;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class CategoryNameTest {
    private static boolean holds(String name, Class<?>... categories) {
        return new CategoryName(name, CategoryNameTest.class.getClassLoader()).isIn(List.of(categories));
    }

    @Test
    void a_class_holds_itself_and_what_extends_it() {
        assertTrue(holds("java.lang.Number", Number.class));
        assertTrue(holds("java.lang.Number.class", String.class, Integer.class));
        assertFalse(holds("java.lang.Integer", Number.class));
    }

    @Test
    void a_name_holds_classes_whose_names_end_so() {
        assertTrue(holds("teger", Integer.class));
        assertTrue(holds("Map$Entry", java.util.Map.Entry.class));
        assertFalse(holds("Integ", Integer.class));
    }

    @Test
    void no_category_is_in_none() {
        assertFalse(holds("java.lang.Object"));
    }
}

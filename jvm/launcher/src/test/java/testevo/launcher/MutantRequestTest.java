package testevo.launcher;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class MutantRequestTest {
    private final MutantRequest request = new MutantRequest();

    @Test
    void mutants_keep_the_order_of_the_request() {
        request.add("mutant", "m2");
        request.add("mutant", "m1");
        assertEquals(List.of("m2", "m1"), new ArrayList<>(request.classes.keySet()));
    }

    @Test
    void a_class_file_belongs_to_the_mutant_before_it() {
        request.add("mutant", "m1");
        request.add("mutant-class", "a.B AQI=");
        request.add("mutant", "m2");
        assertArrayEquals(new byte[] {1, 2}, request.classes.get("m1").get("a.B"));
        assertTrue(request.classes.get("m2").isEmpty());
    }

    @Test
    void a_class_without_a_file_is_gone() {
        request.add("mutant", "m1");
        request.add("mutant-class", "a.B$1");
        assertEquals(0, request.classes.get("m1").get("a.B$1").length);
    }

    @Test
    void every_version_has_a_file_for_every_class_that_some_version_changes() {
        request.add("mutant-original", "a.B AQI=");
        request.add("mutant-original", "a.B$1");
        request.add("mutant", "1");
        request.add("mutant", "2");
        request.add("mutant-class", "a.B AwQ=");
        assertArrayEquals(
                new byte[] {1, 2}, request.version(request.classes.get("1")).get("a.B"));
        assertArrayEquals(
                new byte[] {3, 4}, request.version(request.classes.get("2")).get("a.B"));
        assertEquals(0, request.version(request.classes.get("2")).get("a.B$1").length);
    }

    @Test
    void limits_are_numbers() {
        request.add("mutant-limit-millis", "1500");
        request.add("mutant-factor", "1.5");
        request.add("mutant-extra-millis", "20");
        assertEquals(1500, request.limitMillis);
        assertEquals(1.5, request.factor);
        assertEquals(20, request.extraMillis);
    }

    @Test
    void a_limit_that_is_no_number_is_refused() {
        assertThrows(NumberFormatException.class, () -> request.add("mutant-limit-millis", "soon"));
    }

    @Test
    void another_key_is_not_taken() {
        assertFalse(request.add("mutant-colour", "red"));
    }
}

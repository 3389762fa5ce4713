package testevo.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class JsonTest {
    private static String line(Object value) {
        return Json.line(Collections.singletonMap("k", value));
    }

    @Test
    void an_event_without_fields_is_an_empty_object() {
        assertEquals("{}\n", Json.line(Collections.emptyMap()));
    }

    @Test
    void fields_keep_their_order() {
        Map<String, Object> event = new LinkedHashMap<>();
        event.put("z", "1");
        event.put("a", "2");
        assertEquals("{\"z\":\"1\",\"a\":\"2\"}\n", Json.line(event));
    }

    @Test
    void null_is_written_as_null() {
        assertEquals("{\"k\":null}\n", line(null));
    }

    @Test
    void numbers_and_truth_values_have_no_quotes() {
        assertEquals("{\"k\":7}\n", line(7L));
        assertEquals("{\"k\":true}\n", line(true));
    }

    @Test
    void an_array_of_texts_is_a_list() {
        assertEquals("{\"k\":[\"a\",\"b\"]}\n", line(new String[] {"a", "b"}));
    }

    @Test
    void an_empty_array_is_an_empty_list() {
        assertEquals("{\"k\":[]}\n", line(new String[0]));
    }

    @Test
    void quotes_and_backslashes_are_escaped() {
        assertEquals("{\"k\":\"\\\"\\\\\"}\n", line("\"\\"));
    }

    @Test
    void control_characters_cannot_end_the_line() {
        assertEquals("{\"k\":\"a\\u000ab\\u0000\"}\n", line("a\nb\0"));
    }

    @Test
    void characters_beyond_ascii_are_escaped() {
        assertEquals("{\"k\":\"\\u00e9\\u007f\"}\n", line("\u00e9\u007f"));
    }

    @Test
    void a_pair_of_surrogates_stays_a_pair() {
        assertEquals("{\"k\":\"\\ud83d\\ude00\"}\n", line("\ud83d\ude00"));
    }

    @Test
    void half_a_pair_becomes_the_replacement_character() {
        assertEquals("{\"k\":\"\\ufffda\\ufffd\"}\n", line("\ud83da\ude00"));
    }

    @Test
    void other_objects_are_written_by_their_text() {
        assertEquals("{\"k\":\"[1]\"}\n", line(Collections.singletonList(1)));
    }
}

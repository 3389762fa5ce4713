package testevo.lines;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class FieldsTest {
    private static final JsonObject REQUEST = JsonParser.parseString(
                    "{'text':'a','list':['b','a'],'map':{'z':'1','y':'2'}}")
            .getAsJsonObject();

    @Test
    void a_text_is_read_as_it_is() {
        assertEquals("a", Fields.text(REQUEST, "text"));
    }

    @Test
    void a_missing_text_is_named() {
        Exception error = assertThrows(IllegalArgumentException.class, () -> Fields.text(REQUEST, "folder"));
        assertEquals("the request has no field folder", error.getMessage());
    }

    @Test
    void a_list_keeps_its_order() {
        assertEquals(List.of("b", "a"), Fields.texts(REQUEST, "list"));
    }

    @Test
    void an_absent_list_is_empty() {
        assertEquals(List.of(), Fields.texts(REQUEST, "options"));
    }

    @Test
    void a_map_keeps_the_order_of_the_request() {
        assertEquals(
                List.of("z", "y"),
                new ArrayList<>(Fields.textMap(REQUEST, "map").keySet()));
    }

    @Test
    void a_missing_map_is_named() {
        Exception error = assertThrows(IllegalArgumentException.class, () -> Fields.textMap(REQUEST, "before"));
        assertEquals("the request has no field before", error.getMessage());
    }

    @Test
    void an_array_holds_the_texts_in_order() {
        assertEquals("[\"b\",\"a\"]", Fields.array(List.of("b", "a")).toString());
    }
}

package testevo.probe;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class TextTest {
    private static String quoted(String text) {
        StringBuilder out = new StringBuilder();
        Text.quote(out, text);
        return out.toString();
    }

    @Test
    void null_has_no_quotes() {
        assertEquals("null", quoted(null));
    }

    @Test
    void plain_text_is_quoted() {
        assertEquals("\"a b\"", quoted("a b"));
    }

    @Test
    void quotes_and_backslashes_are_escaped() {
        assertEquals("\"\\u0022\\u005c\"", quoted("\"\\"));
    }

    @Test
    void all_else_is_ascii() {
        assertEquals("\"\\u000a\\u00e9\"", quoted("\n\u00e9"));
    }
}

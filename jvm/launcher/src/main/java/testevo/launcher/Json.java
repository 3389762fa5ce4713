package testevo.launcher;

import java.util.Map;

/** Writes flat events as JSON in pure ASCII, so that no character of a test's message depends on an encoding. */
final class Json {
    private static final String HEXADECIMAL = "0123456789abcdef";

    private Json() {}

    static String line(Map<String, Object> event) {
        StringBuilder out = new StringBuilder(256);
        out.append('{');
        for (Map.Entry<String, Object> field : event.entrySet()) {
            if (out.length() > 1) {
                out.append(',');
            }
            string(out, field.getKey());
            out.append(':');
            value(out, field.getValue());
        }
        return out.append("}\n").toString();
    }

    private static void value(StringBuilder out, Object value) {
        if (value == null || value instanceof Number || value instanceof Boolean) {
            out.append(value);
        } else if (value instanceof String[]) {
            out.append('[');
            String[] items = (String[]) value;
            for (int i = 0; i < items.length; i++) {
                if (i > 0) {
                    out.append(',');
                }
                string(out, items[i]);
            }
            out.append(']');
        } else {
            string(out, value.toString());
        }
    }

    private static void string(StringBuilder out, String text) {
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (Character.isHighSurrogate(c) && i + 1 < text.length() && Character.isLowSurrogate(text.charAt(i + 1))) {
                escape(out, c);
                escape(out, text.charAt(++i));
            } else if (Character.isSurrogate(c)) {
                // Half a character cannot be stored as UTF-8 by whoever reads this.
                escape(out, '\ufffd');
            } else if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (c < ' ' || c > '~') {
                escape(out, c);
            } else {
                out.append(c);
            }
        }
        out.append('"');
    }

    private static void escape(StringBuilder out, char c) {
        out.append("\\u");
        for (int shift = 12; shift >= 0; shift -= 4) {
            out.append(HEXADECIMAL.charAt((c >> shift) & 0xf));
        }
    }
}

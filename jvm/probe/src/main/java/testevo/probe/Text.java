package testevo.probe;

/** Strings of JSON, in ASCII. */
final class Text {
    private static final String HEXADECIMAL = "0123456789abcdef";

    private Text() {}

    static void quote(StringBuilder out, String text) {
        if (text == null) {
            out.append("null");
            return;
        }
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < ' ' || c > '~' || c == '"' || c == '\\') {
                out.append("\\u");
                for (int shift = 12; shift >= 0; shift -= 4) {
                    out.append(HEXADECIMAL.charAt((c >> shift) & 0xf));
                }
            } else {
                out.append(c);
            }
        }
        out.append('"');
    }
}

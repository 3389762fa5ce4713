package testevo.maven.record;

import com.google.gson.stream.JsonWriter;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Writes texts, truth values, lists and maps. */
final class Json {
    private Json() {}

    static void write(Object value, Path file) throws IOException {
        try (Writer text = Files.newBufferedWriter(file, StandardCharsets.UTF_8);
                JsonWriter writer = new JsonWriter(text)) {
            write(value, writer);
        }
    }

    private static void write(Object value, JsonWriter writer) throws IOException {
        if (value == null) {
            writer.nullValue();
        } else if (value instanceof Map) {
            writer.beginObject();
            for (Map.Entry<?, ?> entry : ((Map<?, ?>) value).entrySet()) {
                writer.name((String) entry.getKey());
                write(entry.getValue(), writer);
            }
            writer.endObject();
        } else if (value instanceof List) {
            writer.beginArray();
            for (Object item : (List<?>) value) {
                write(item, writer);
            }
            writer.endArray();
        } else if (value instanceof Boolean) {
            writer.value((Boolean) value);
        } else {
            writer.value((String) value);
        }
    }
}

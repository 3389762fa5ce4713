package testevo.launcher;

import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** Where verdicts go: a file, a named pipe or {@code /dev/fd/N}. One JSON object a line, written as it happens. */
final class Channel {
    private final FileOutputStream stream;

    Channel(String path) throws IOException {
        stream = new FileOutputStream(path, true);
    }

    /** One system call a line, unbuffered: what was written survives the death of the JVM. */
    synchronized void write(Map<String, Object> event) {
        byte[] line = Json.line(event).getBytes(StandardCharsets.US_ASCII);
        try {
            stream.write(line);
        } catch (IOException error) {
            throw new IllegalStateException("the channel cannot be written", error);
        }
    }
}

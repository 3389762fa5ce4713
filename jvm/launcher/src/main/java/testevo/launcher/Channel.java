package testevo.launcher;

import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/**
 * Where verdicts go: a file, a named pipe or {@code /dev/fd/N}. One JSON object a line, written as it happens; sealed
 * ones carry a tag that nobody else can make (see {@link Seal}).
 */
final class Channel {
    private static final String READY = "ready\n";

    private final FileOutputStream stream;
    private final Seal seal;

    /** {@code sealed}: say that the launcher is there, and take the key in return. */
    Channel(String path, boolean sealed) throws IOException {
        stream = new FileOutputStream(path, true);
        if (sealed) {
            stream.write(READY.getBytes(StandardCharsets.US_ASCII));
            seal = Seal.fromStandardInput();
        } else {
            seal = null;
        }
    }

    private static Map<String, Object> tampered(String caller) {
        Map<String, Object> event = new HashMap<>();
        event.put("event", "tampered");
        event.put("reason", "the channel was written to by " + caller);
        return event;
    }

    /** One system call a line, unbuffered: what was written survives the death of the JVM. */
    synchronized void write(Map<String, Object> event) {
        String caller = seal == null ? null : Callers.foreignCaller();
        String text = Json.line(caller == null ? event : tampered(caller));
        byte[] line = text.getBytes(StandardCharsets.US_ASCII);
        if (seal != null) {
            line = (seal.tag(line) + text).getBytes(StandardCharsets.US_ASCII);
        }
        try {
            stream.write(line);
        } catch (IOException error) {
            throw new IllegalStateException("the channel cannot be written", error);
        }
    }
}

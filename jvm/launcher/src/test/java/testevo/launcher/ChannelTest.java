package testevo.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ChannelTest {
    private Path file;

    @BeforeEach
    void create() throws IOException {
        file = Files.createTempFile("channel", null);
    }

    @AfterEach
    void delete() throws IOException {
        Files.delete(file);
    }

    @Test
    void an_event_is_in_the_file_when_write_returns() throws IOException {
        new Channel(file.toString(), false).write(Collections.singletonMap("event", "end"));
        assertEquals("{\"event\":\"end\"}\n", Files.readString(file));
    }

    @Test
    void what_the_file_held_before_stays() throws IOException {
        Files.writeString(file, "before\n");
        new Channel(file.toString(), false).write(Collections.emptyMap());
        assertEquals("before\n{}\n", Files.readString(file));
    }

    @Test
    void a_channel_that_cannot_be_opened_is_an_error() {
        assertThrows(IOException.class, () -> new Channel(file.resolve("below").toString(), false));
    }
}

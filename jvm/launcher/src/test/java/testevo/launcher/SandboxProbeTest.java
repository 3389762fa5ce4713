package testevo.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SandboxProbeTest {
    private Path folder;
    private Path channel;

    @BeforeEach
    void create() throws Exception {
        folder = Files.createTempDirectory("sandbox");
        channel = folder.resolve("channel");
    }

    @AfterEach
    void delete() {
        Folders.delete(folder);
    }

    private List<String> probe(int port, Path secret, Path... written) throws Exception {
        String[] arguments = new String[4 + written.length];
        arguments[0] = channel.toString();
        arguments[1] = String.valueOf(port);
        arguments[2] = secret.toString();
        arguments[3] = "word";
        for (int i = 0; i < written.length; i++) {
            arguments[4 + i] = written[i].toString();
        }
        SandboxProbe.main(arguments);
        return Files.readAllLines(channel);
    }

    /** A port of this machine at which nobody listens any more. */
    private static int closedPort() throws Exception {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
            return socket.getLocalPort();
        }
    }

    @Test
    void a_listener_that_answers_is_reached() throws Exception {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
            assertTrue(probe(socket.getLocalPort(), folder.resolve("none")).contains("listener reached"));
        }
    }

    @Test
    void a_closed_port_is_out_of_reach() throws Exception {
        assertTrue(probe(closedPort(), folder.resolve("none")).contains("listener out of reach"));
    }

    @Test
    void a_secret_that_can_be_read_is_told() throws Exception {
        Path secret = Files.writeString(folder.resolve("secret"), "treasure");
        assertTrue(probe(closedPort(), secret).contains("secret treasure"));
    }

    @Test
    void a_secret_that_cannot_be_read_is_hidden() throws Exception {
        assertTrue(probe(closedPort(), folder.resolve("none")).contains("secret hidden"));
    }

    @Test
    void the_word_is_written_wherever_that_works() throws Exception {
        Path refused = Files.createFile(folder.resolve("file")).resolve("below");
        Path file = folder.resolve("new/file");
        probe(closedPort(), folder.resolve("none"), refused, file);
        assertEquals("word", Files.readString(file));
    }

    @Test
    void the_last_line_shows_that_nothing_is_missing() throws Exception {
        List<String> said = probe(closedPort(), folder.resolve("none"));
        assertEquals("end", said.get(said.size() - 1));
    }
}

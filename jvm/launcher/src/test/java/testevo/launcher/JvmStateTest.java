package testevo.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.PrintStream;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Properties;
import java.util.TimeZone;
import java.util.concurrent.CountDownLatch;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class JvmStateTest {
    private final Properties properties = System.getProperties();
    private final Locale locale = Locale.getDefault();
    private final TimeZone zone = TimeZone.getDefault();
    private final PrintStream err = System.err;
    private Path folder;
    private JvmState state;

    /** In a folder of its own: other programs write to the real ones. */
    @BeforeEach
    void remember() throws Exception {
        folder = Files.createTempDirectory("state");
        Files.writeString(folder.resolve("file"), "before");
        Properties own = (Properties) properties.clone();
        for (String name : new String[] {"user.dir", "java.io.tmpdir", "user.home"}) {
            own.setProperty(name, folder.toString());
        }
        System.setProperties(own);
        state = JvmState.now();
    }

    @AfterEach
    void restore() {
        System.setProperties(properties);
        Locale.setDefault(locale);
        TimeZone.setDefault(zone);
        System.setErr(err);
        Folders.delete(folder);
    }

    @Test
    void nothing_is_left_where_nothing_was_done() throws Exception {
        assertNull(state.leftBehind());
    }

    @Test
    void another_standard_stream_is_seen() throws Exception {
        System.setErr(new PrintStream(new ByteArrayOutputStream()));
        assertEquals("a standard stream is another one", state.leftBehind());
    }

    @Test
    void a_system_property_is_seen() throws Exception {
        System.setProperty("colour", "red");
        assertEquals("a system property differs", state.leftBehind());
    }

    @Test
    void a_locale_of_one_category_is_seen() throws Exception {
        Locale.setDefault(Locale.Category.FORMAT, new Locale("fi"));
        assertEquals("the default locale or time zone differs", state.leftBehind());
    }

    @Test
    void a_time_zone_is_seen() throws Exception {
        TimeZone.setDefault(TimeZone.getTimeZone("GMT-11:30"));
        assertEquals("the default locale or time zone differs", state.leftBehind());
    }

    @Test
    void a_handler_of_uncaught_exceptions_is_seen() throws Exception {
        Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
        Thread.setDefaultUncaughtExceptionHandler((thread, thrown) -> {});
        try {
            assertEquals("a handler of the JVM is another one", state.leftBehind());
        } finally {
            Thread.setDefaultUncaughtExceptionHandler(before);
        }
    }

    @Test
    void a_level_of_the_root_logger_is_seen() throws Exception {
        Level before = Logger.getLogger("").getLevel();
        Logger.getLogger("").setLevel(Level.FINEST);
        try {
            assertEquals("the root logger differs", state.leftBehind());
        } finally {
            Logger.getLogger("").setLevel(before);
        }
    }

    @Test
    void a_thread_that_goes_on_is_named() throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        Thread thread = new Thread(
                () -> {
                    try {
                        end.await();
                    } catch (InterruptedException over) {
                        Thread.currentThread().interrupt();
                    }
                },
                "left-over");
        thread.start();
        try {
            assertEquals("the thread left-over is left", state.leftBehind());
        } finally {
            end.countDown();
            thread.join();
        }
    }

    @Test
    void a_thread_that_has_ended_is_none() throws Exception {
        Thread thread = new Thread(() -> {});
        thread.start();
        thread.join();
        assertNull(state.leftBehind());
    }

    @Test
    void an_open_socket_is_seen() throws Exception {
        try (ServerSocket socket = new ServerSocket(0)) {
            assertEquals("a socket is left open", state.leftBehind(), socket::toString);
        }
    }

    @Test
    void a_new_file_is_seen() throws Exception {
        Files.createFile(folder.resolve("new"));
        assertEquals("a file differs", state.leftBehind());
    }

    @Test
    void a_longer_file_is_seen() throws Exception {
        File file = folder.resolve("file").toFile();
        long modified = file.lastModified();
        Files.writeString(file.toPath(), "before and after");
        file.setLastModified(modified);
        assertEquals("a file differs", state.leftBehind());
    }

    @Test
    void a_file_that_is_gone_is_seen() throws Exception {
        Files.delete(folder.resolve("file"));
        assertEquals("a file differs", state.leftBehind());
    }

    @Test
    void a_file_that_came_and_went_is_not() throws Exception {
        Files.delete(Files.createFile(folder.resolve("new")));
        assertNull(state.leftBehind());
    }
}

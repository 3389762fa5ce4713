package testevo.maven.record;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import org.apache.maven.plugin.logging.Log;
import org.apache.maven.plugin.logging.SystemStreamLog;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class CommandLineTest {
    private final PrintStream out = System.out;
    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
    private final CommandLine line = new CommandLine();
    private Log log;

    @BeforeEach
    void listen() {
        System.setOut(new PrintStream(printed, true));
        log = line.heardIn(new SystemStreamLog());
    }

    @AfterEach
    void restore() {
        System.setOut(out);
    }

    @Test
    void the_message_after_the_heading_is_the_command_line() {
        log.debug("Source roots:");
        log.debug("Command line options:");
        log.debug(new StringBuilder("-d target/classes -g"));
        log.debug("something else");
        assertEquals("-d target/classes -g", line.text());
    }

    @Test
    void a_plugin_that_compiles_nothing_has_none() {
        log.debug("nothing to do");
        assertNull(line.text());
    }

    @Test
    void debug_output_is_on_and_heard_by_nobody_else() {
        assertTrue(log.isDebugEnabled());
        log.debug("aside");
        log.info("to all");
        assertEquals("[info] to all", printed.toString().trim());
    }
}

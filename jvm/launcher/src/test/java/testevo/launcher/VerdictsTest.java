package testevo.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import testevo.launcher.backend.Events;
import testevo.launcher.backend.TestName;

class VerdictsTest {
    private static final TestName TEST = new TestName("a.T", "tests", new String[0], "tests()", "id");

    private Path channel;
    private Verdicts verdicts;
    private Events events;

    @BeforeEach
    void open() throws IOException {
        channel = Files.createTempFile("channel", null);
        verdicts = new Verdicts(new Channel(channel.toString(), false), null, null);
        events = new Events(verdicts);
    }

    @AfterEach
    void delete() throws IOException {
        Files.delete(channel);
    }

    private List<String> lines() throws IOException {
        return Files.readAllLines(channel);
    }

    private String last() throws IOException {
        List<String> lines = lines();
        return lines.get(lines.size() - 1);
    }

    @Test
    void a_start_names_class_method_parameters_display_and_id() throws IOException {
        events.started(TEST);
        assertEquals(
                "{\"event\":\"started\",\"class\":\"a.T\",\"method\":\"tests\",\"parameters\":[],"
                        + "\"display\":\"tests()\",\"id\":\"id\"}",
                last());
    }

    @Test
    void a_passed_test_has_no_exception() throws IOException {
        events.started(TEST);
        events.passed(TEST);
        assertTrue(last().contains("\"outcome\":\"passed\",\"exception\":null,\"message\":null,\"trace\":null"));
    }

    @Test
    void a_failed_assertion_is_told_apart() throws IOException {
        events.failed(TEST, new AssertionError("one"));
        assertTrue(
                last().contains(
                                "\"outcome\":\"assertion_failed\",\"exception\":\"java.lang.AssertionError\",\"message\":\"one\""));
    }

    @Test
    void any_other_throwable_is_an_exception() throws IOException {
        events.failed(TEST, new IllegalStateException("two"));
        assertTrue(
                last().contains(
                                "\"outcome\":\"exception\",\"exception\":\"java.lang.IllegalStateException\",\"message\":\"two\""));
    }

    @Test
    void an_aborted_test_keeps_its_outcome_whatever_was_thrown() throws IOException {
        events.aborted(TEST, new AssertionError());
        assertTrue(last().contains("\"outcome\":\"aborted\""));
    }

    @Test
    void a_skipped_test_has_its_reason_for_a_message() throws IOException {
        events.skipped(TEST, "not today");
        assertTrue(last().contains("\"outcome\":\"skipped\",\"exception\":null,\"message\":\"not today\""));
    }

    @Test
    void later_invocations_of_equal_name_get_a_number() throws IOException {
        events.started(TEST);
        events.passed(TEST);
        events.started(TEST);
        events.passed(TEST);
        assertTrue(lines().get(0).contains("\"id\":\"id\"}"));
        assertTrue(lines().get(2).contains("\"id\":\"id/2\"}"));
    }

    @Test
    void scopes_are_for_the_probe_alone() throws IOException {
        events.scopeStarted(TEST);
        events.scopeFinished(TEST);
        assertEquals(List.of(), lines());
    }

    @Test
    void what_is_not_found_is_told_with_selection_and_reason() throws IOException {
        events.notFound("a.T#gone", "there is no such method");
        assertEquals(
                "{\"event\":\"not_found\",\"selection\":\"a.T#gone\",\"reason\":\"there is no such method\","
                        + "\"exception\":null,\"trace\":null}",
                last());
    }

    @Test
    void a_failed_discovery_names_the_exception() throws IOException {
        events.discoveryFailed("a.T", new LinkageError("broken"));
        assertTrue(last().contains("\"event\":\"discovery_failed\""));
        assertTrue(last().contains("\"exception\":\"java.lang.LinkageError\""));
    }

    @Test
    void coverage_is_one_line_with_all_classes() throws IOException {
        verdicts.coverage(new String[] {"a/B 1 01"});
        assertEquals("{\"event\":\"coverage\",\"classes\":[\"a/B 1 01\"]}", last());
    }

    @Test
    void the_end_counts_finished_tests_but_not_events_of_classes() throws IOException {
        events.passed(TEST);
        events.failed(new TestName("a.T", null, null, "T", "id2"), new Error());
        verdicts.end();
        assertEquals("{\"event\":\"end\",\"found\":1,\"output_lost\":false}", last());
    }

    @Test
    void an_event_by_reflection_from_a_test_is_tampering() throws Exception {
        Channel file = new Channel(channel.toString(), false);
        Verdicts watched = new Verdicts(file, null, new Callers(VerdictsTest.class.getClassLoader()));
        new Events(watched).passed(TEST);
        assertTrue(last().startsWith("{\"event\":\"tampered\",\"reason\":\"a listener was called by "));
    }

    @Test
    void an_end_from_elsewhere_is_tampering() throws IOException {
        Channel file = new Channel(channel.toString(), false);
        new Verdicts(file, null, new Callers(VerdictsTest.class.getClassLoader())).end();
        assertTrue(last().startsWith("{\"event\":\"tampered\",\"reason\":\"the end was announced by "));
        assertFalse(last().contains("\"found\""));
    }
}

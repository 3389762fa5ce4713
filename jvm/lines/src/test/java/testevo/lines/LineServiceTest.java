package testevo.lines;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LineServiceTest {
    private final LineService service = new LineService(Map.of(
            "echo", LineServiceTest::echo,
            "fail",
                    request -> {
                        throw new IOException("no disk", new IllegalStateException("full"));
                    },
            "overflow",
                    request -> {
                        throw new StackOverflowError();
                    }));
    private ExitStatus status;

    private static JsonObject echo(JsonObject request) {
        JsonObject answer = new JsonObject();
        answer.add("text", request.get("text"));
        return answer;
    }

    private List<String> answers(String requests) throws Exception {
        ByteArrayOutputStream answers = new ByteArrayOutputStream();
        InputStream input = new ByteArrayInputStream(requests.getBytes(StandardCharsets.UTF_8));
        status = service.serve(input, new PrintStream(answers));
        return answers.toString(StandardCharsets.UTF_8).lines().toList();
    }

    private JsonObject answer(String request) throws Exception {
        List<String> answers = answers(request + "\n");
        assertEquals(1, answers.size());
        return JsonParser.parseString(answers.get(0)).getAsJsonObject();
    }

    private String error(String request) throws Exception {
        JsonObject answer = answer(request);
        assertEquals(false, answer.get("ok").getAsBoolean());
        return answer.get("error").getAsString();
    }

    @Test
    void an_answer_has_the_id_of_its_request() throws Exception {
        assertEquals(
                "{\"text\":\"a\",\"id\":7,\"ok\":true}",
                answer("{\"id\":7,\"command\":\"echo\",\"text\":\"a\"}").toString());
    }

    @Test
    void answers_come_in_the_order_of_requests() throws Exception {
        List<String> answers = answers("{\"id\":1,\"command\":\"echo\"}\n{\"id\":2,\"command\":\"fail\"}\n");
        assertTrue(answers.get(0).contains("\"id\":1"));
        assertTrue(answers.get(1).contains("\"id\":2"));
    }

    @Test
    void a_request_without_an_id_is_answered_with_null() throws Exception {
        assertTrue(answer("{\"command\":\"echo\"}").get("id").isJsonNull());
    }

    @Test
    void an_unknown_command_is_named() throws Exception {
        assertTrue(error("{\"command\":\"sing\"}").contains("no command sing; there are ["));
    }

    @Test
    void a_missing_command_is_named() throws Exception {
        assertTrue(error("{\"id\":1}").contains("the request has no field command"));
    }

    @Test
    void a_line_that_is_no_json_is_refused() throws Exception {
        assertTrue(error("{").contains("JsonSyntaxException"));
    }

    @Test
    void a_line_that_is_no_object_is_refused() throws Exception {
        assertTrue(error("[1]").contains("IllegalStateException"));
    }

    @Test
    void a_failure_is_told_with_its_causes() throws Exception {
        assertTrue(error("{\"command\":\"fail\"}")
                .startsWith("java.io.IOException: no disk; caused by java.lang.IllegalStateException: full at "));
    }

    @Test
    void a_stack_overflow_fails_one_request_only() throws Exception {
        List<String> answers = answers("{\"command\":\"overflow\"}\n{\"command\":\"echo\"}\n");
        assertTrue(answers.get(0).contains("StackOverflowError"));
        assertTrue(answers.get(1).contains("\"ok\":true"));
    }

    @Test
    void markup_and_null_are_written_as_they_are() throws Exception {
        String request = "{\"command\":\"echo\",\"text\":\"<a & 'b'>\"}";
        assertTrue(answers(request).get(0).contains("<a & 'b'>"));
        assertTrue(answers("{\"command\":\"echo\",\"text\":null}").get(0).contains("\"text\":null"));
    }

    @Test
    void characters_beyond_ascii_come_back() throws Exception {
        assertEquals(
                "\u00e9\ud83d\ude00",
                answer("{\"command\":\"echo\",\"text\":\"\u00e9\ud83d\ude00\"}")
                        .get("text")
                        .getAsString());
    }

    @Test
    void blank_lines_are_passed_over() throws Exception {
        assertEquals(List.of(), answers("\n  \n"));
    }

    @Test
    void the_end_of_the_input_ends_the_service_well() throws Exception {
        answers("");
        assertEquals(ExitStatus.OK, status);
    }

    @Test
    void an_input_that_breaks_is_the_machines_fault() throws Exception {
        InputStream broken = new InputStream() {
            @Override
            public int read() throws IOException {
                throw new IOException("gone");
            }
        };
        assertEquals(ExitStatus.MACHINE, service.serve(broken, new PrintStream(new ByteArrayOutputStream())));
    }
}

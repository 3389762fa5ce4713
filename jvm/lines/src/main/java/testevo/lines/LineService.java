package testevo.lines;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * Reads one JSON request a line and writes one JSON answer a line until its input ends.
 *
 * <p>A request that fails is answered with {@code "ok": false}; it never ends the program.
 */
public final class LineService {
    /** Generated sources nest expressions thousands deep, and the compiler descends by recursion. */
    private static final long STACK_BYTES = 256L << 20;
    /** How long a request may go on when nobody is left to read its answer. */
    private static final long ORPHAN_MILLIS = 60_000;

    private static final String END = "";

    private final Map<String, Command> commands;
    private final BlockingQueue<String> waiting = new LinkedBlockingQueue<>();
    private final Gson gson =
            new GsonBuilder().disableHtmlEscaping().serializeNulls().create();

    public LineService(Map<String, Command> commands) {
        this.commands = commands;
    }

    /** Serves standard input to its end, then ends the program. */
    public static void main(String[] arguments, Map<String, Command> commands) throws InterruptedException {
        if (arguments.length > 0) {
            System.err.println("No arguments expected; requests are read from standard input, one JSON object a line.");
            System.exit(ExitStatus.USAGE.number);
        }
        InputStream requests = System.in;
        PrintStream answers = System.out;
        // What compiler plug-ins and libraries print or read must not reach the protocol.
        System.setIn(new ByteArrayInputStream(new byte[0]));
        System.setOut(System.err);
        ExitStatus status = new LineService(commands).serve(requests, answers);
        System.exit(status.number);
    }

    ExitStatus serve(InputStream requests, PrintStream answers) throws InterruptedException {
        ExitStatus[] ended = {ExitStatus.BUG};
        Thread worker = new Thread(null, () -> ended[0] = answerAll(answers), "requests", STACK_BYTES);
        worker.start();
        // Read apart from the work, so that the end of the input is seen while a request hangs.
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(requests, StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null && worker.isAlive(); line = lines.readLine()) {
                if (!line.trim().isEmpty()) {
                    waiting.put(line);
                }
            }
        } catch (IOException error) {
            System.err.println("Requests cannot be read: " + error);
            return ExitStatus.MACHINE;
        }
        waiting.put(END);
        worker.join(ORPHAN_MILLIS);
        return ended[0];
    }

    private ExitStatus answerAll(PrintStream answers) {
        try {
            for (String line = waiting.take(); !line.equals(END); line = waiting.take()) {
                byte[] answer = (gson.toJson(answer(line)) + "\n").getBytes(StandardCharsets.UTF_8);
                answers.write(answer, 0, answer.length);
                answers.flush();
            }
            return ExitStatus.OK;
        } catch (InterruptedException error) {
            Thread.currentThread().interrupt();
            return ExitStatus.BUG;
        }
    }

    private JsonObject answer(String line) {
        JsonObject request = new JsonObject();
        try {
            request = JsonParser.parseString(line).getAsJsonObject();
            String name = Fields.text(request, "command");
            Command command = commands.get(name);
            if (command == null) {
                throw new IllegalArgumentException("no command " + name + "; there are " + commands.keySet());
            }
            JsonObject answer = command.answer(request);
            return finished(answer, request, true);
        } catch (Throwable error) {
            // Compilers and detectors throw errors of all kinds on odd input; only a broken JVM may end the service.
            if (error instanceof VirtualMachineError && !(error instanceof StackOverflowError)) {
                Runtime.getRuntime().halt(ExitStatus.MACHINE.number);
            }
            JsonObject answer = new JsonObject();
            answer.addProperty("error", describe(error));
            return finished(answer, request, false);
        }
    }

    private static JsonObject finished(JsonObject answer, JsonObject request, boolean ok) {
        answer.add("id", request.has("id") ? request.get("id") : JsonNull.INSTANCE);
        answer.addProperty("ok", ok);
        return answer;
    }

    /** The error, its causes and where it was thrown first; of a refusal, what it says. */
    private static String describe(Throwable error) {
        if (error instanceof Refusal) {
            return error.getMessage();
        }
        StringBuilder text = new StringBuilder();
        Throwable cause = error;
        for (int depth = 0; cause != null && depth < 5; depth++, cause = cause.getCause()) {
            text.append(depth == 0 ? "" : "; caused by ").append(cause);
        }
        StackTraceElement[] trace = error.getStackTrace();
        return trace.length == 0 ? text.toString() : text + " at " + trace[0];
    }
}

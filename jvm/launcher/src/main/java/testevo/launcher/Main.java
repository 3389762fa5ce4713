package testevo.launcher;

import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * Runs the selected tests of a request file once and ends the JVM:
 * {@code Main <request> <channel path> [sealed]}.
 */
public final class Main {
    // Statuses of testevo: see ExitStatus of the module lines, which the launcher must not depend on.
    private static final int USAGE = 2;
    private static final int BUG = 1;
    /** Kept from the start: tests replace {@code System.err}, also by null. */
    static final PrintStream STANDARD_ERROR = System.err;

    private Main() {}

    public static void main(String[] arguments) {
        boolean sealed = arguments.length == 3 && arguments[2].equals("sealed");
        if (arguments.length != 2 && !sealed) {
            System.err.println("launcher: expected <request file> <channel path> [sealed], got " + arguments.length
                    + " arguments.");
            System.exit(USAGE);
        }
        Ending ending = new Ending();
        Channel channel = null;
        Callers callers = null;
        try {
            // Before any class of the project is loaded: tests must not decide where verdicts go.
            channel = new Channel(arguments[1], sealed);
            Request request = Request.read(arguments[0]);
            if (sealed) {
                // No test is to read what else was asked for.
                Files.delete(Paths.get(arguments[0]));
            }
            ClassLoader loader = request.mutants == null ? loader(request) : null;
            callers = loader == null ? null : new Callers(loader);
            Verdicts verdicts = new Verdicts(channel, request.probeHook ? new ProbeHook() : null, callers);
            if (request.mutants != null) {
                new MutantRuns(request, channel).run();
            } else {
                run(request, loader, verdicts);
            }
            verdicts.end();
            ending.end(0);
        } catch (Throwable failure) {
            STANDARD_ERROR.println("launcher: " + Thrown.trace(failure));
            if (channel != null) {
                Map<String, Object> event = new HashMap<>();
                event.put("event", "error");
                event.put("message", failure.toString());
                event.put("by_project", callers != null && callers.tookPartIn(failure));
                channel.write(event);
            }
            ending.end(BUG);
        }
    }

    private static void run(Request request, ClassLoader loader, Verdicts verdicts) throws Exception {
        System.setProperty("java.class.path", request.joinedClassPath());
        Thread.currentThread().setContextClassLoader(loader);
        BiConsumer<List<Map<String, Object>>, Consumer<Map<String, Object>>> backEnd = backEnd(request.backEnd, loader);
        backEnd.accept(request.selections, verdicts);
        if (request.coverage) {
            verdicts.coverage(Coverage.taken(loader));
        }
    }

    private static ClassLoader loader(Request request) throws Exception {
        return request.onClassPath ? ClassLoader.getSystemClassLoader() : ProjectLoader.over(request);
    }

    /** Back ends live in the project's loader, beside its JUnit; only JDK types cross between them and this class. */
    @SuppressWarnings("unchecked")
    static BiConsumer<List<Map<String, Object>>, Consumer<Map<String, Object>>> backEnd(String name, ClassLoader loader)
            throws Exception {
        Class<?> type = Class.forName("testevo.launcher." + name + ".BackEnd", true, loader);
        return (BiConsumer<List<Map<String, Object>>, Consumer<Map<String, Object>>>)
                type.getConstructor().newInstance();
    }
}

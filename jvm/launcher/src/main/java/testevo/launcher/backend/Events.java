package testevo.launcher.backend;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/** The events a back end may report. */
public final class Events {
    private final Consumer<Map<String, Object>> sink;

    public Events(Consumer<Map<String, Object>> sink) {
        this.sink = sink;
    }

    public void started(TestName test) {
        sink.accept(event("started", test));
    }

    public void passed(TestName test) {
        finished(test, "passed", null, null);
    }

    /** A failed assertion or any other throwable: the receiver tells them apart. */
    public void failed(TestName test, Throwable thrown) {
        finished(test, "failed", thrown, null);
    }

    public void aborted(TestName test, Throwable thrown) {
        finished(test, "aborted", thrown, null);
    }

    public void skipped(TestName test, String reason) {
        finished(test, "skipped", null, reason);
    }

    private void finished(TestName test, String status, Throwable thrown, String reason) {
        Map<String, Object> event = event("finished", test);
        event.put("status", status);
        event.put("throwable", thrown);
        event.put("reason", reason);
        sink.accept(event);
    }

    /** Code of a test method runs that is no test yet: a factory, or the arguments of a template. */
    public void scopeStarted(TestName test) {
        sink.accept(event("scope_started", test));
    }

    public void scopeFinished(TestName test) {
        sink.accept(event("scope_finished", test));
    }

    /** The selection names nothing that can be run. */
    public void notFound(String selection, String reason) {
        problem("not_found", selection, reason, null);
    }

    /** Looking for the tests of the selection failed. */
    public void discoveryFailed(String selection, Throwable thrown) {
        problem("discovery_failed", selection, String.valueOf(thrown), thrown);
    }

    private void problem(String kind, String selection, String reason, Throwable thrown) {
        Map<String, Object> event = new HashMap<>();
        event.put("event", kind);
        event.put("selection", selection);
        event.put("reason", reason);
        event.put("throwable", thrown);
        sink.accept(event);
    }

    private static Map<String, Object> event(String kind, TestName test) {
        Map<String, Object> event = new HashMap<>();
        event.put("event", kind);
        event.put("class", test.type);
        event.put("method", test.method);
        event.put("parameters", test.parameters);
        event.put("display", test.display);
        event.put("id", test.id);
        return event;
    }
}

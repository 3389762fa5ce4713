package testevo.launcher;

import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/** Turns what a back end reports into lines of the channel, and tells the probe which test is running. */
final class Verdicts implements Consumer<Map<String, Object>> {
    private final Channel channel;
    private final ProbeHook probe;
    private final Callers callers;
    private final Set<Object> running = new HashSet<>();
    private final Map<Object, Integer> occurrences = new HashMap<>();
    private int found;

    /** {@code callers} null: nobody looks where events come from. */
    Verdicts(Channel channel, ProbeHook probe, Callers callers) {
        this.channel = channel;
        this.probe = probe;
        this.callers = callers;
    }

    @Override
    public synchronized void accept(Map<String, Object> event) {
        String complaint = callers == null ? null : callers.complaint();
        if (complaint != null) {
            tampered(complaint);
            return;
        }
        String kind = (String) event.get("event");
        if (kind.equals("started")) {
            started(event);
        } else if (kind.equals("finished")) {
            finished(event);
        } else if (kind.equals("scope_started")) {
            if (probe != null) {
                probe.started(event);
            }
        } else if (kind.equals("scope_finished")) {
            if (probe != null) {
                probe.finished(event);
            }
        } else {
            problem(kind, event);
        }
    }

    synchronized void coverage(String[] classes) {
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("event", "coverage");
        line.put("classes", classes);
        channel.write(line);
    }

    synchronized void end() {
        String complaint = callers == null ? null : callers.complaintOfEnd();
        if (complaint != null) {
            tampered(complaint);
            return;
        }
        if (probe != null) {
            probe.end();
        }
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("event", "end");
        line.put("found", found);
        line.put("output_lost", System.out == null);
        channel.write(line);
    }

    private void tampered(String reason) {
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("event", "tampered");
        line.put("reason", reason);
        channel.write(line);
    }

    private void started(Map<String, Object> event) {
        Object id = event.get("id");
        Integer before = occurrences.get(id);
        occurrences.put(id, before == null ? 1 : before + 1);
        channel.write(named("started", event));
        if (probe != null) {
            probe.started(event);
        }
        running.add(id);
    }

    private void finished(Map<String, Object> event) {
        if (running.remove(event.get("id")) && probe != null) {
            probe.finished(event);
        }
        String status = (String) event.get("status");
        Throwable thrown = (Throwable) event.get("throwable");
        Map<String, Object> line = named("finished", event);
        line.put("outcome", status.equals("failed") ? failed(thrown) : status);
        line.put("exception", thrown == null ? null : thrown.getClass().getName());
        line.put("message", thrown == null ? event.get("reason") : Thrown.message(thrown));
        line.put("trace", thrown == null ? null : Thrown.trace(thrown));
        channel.write(line);
        if (event.get("method") != null) {
            found++;
        }
    }

    private static String failed(Throwable thrown) {
        return thrown != null && Thrown.isAssertion(thrown) ? "assertion_failed" : "exception";
    }

    private Map<String, Object> named(String kind, Map<String, Object> event) {
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("event", kind);
        line.put("class", event.get("class"));
        line.put("method", event.get("method"));
        line.put("parameters", event.get("parameters"));
        line.put("display", event.get("display"));
        line.put("id", id(event.get("id")));
        return line;
    }

    /** Old JUnits give invocations equal names; the second and later ones get a number. */
    private String id(Object id) {
        Integer occurrence = occurrences.get(id);
        return occurrence == null || occurrence == 1 ? String.valueOf(id) : id + "/" + occurrence;
    }

    private void problem(String kind, Map<String, Object> event) {
        Throwable thrown = (Throwable) event.get("throwable");
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("event", kind);
        line.put("selection", event.get("selection"));
        line.put("reason", event.get("reason"));
        line.put("exception", thrown == null ? null : thrown.getClass().getName());
        line.put("trace", thrown == null ? null : Thrown.trace(thrown));
        channel.write(line);
    }
}

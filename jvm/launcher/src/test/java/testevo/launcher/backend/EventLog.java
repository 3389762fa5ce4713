package testevo.launcher.backend;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** What a back end reports of a selection, one short line an event. */
public final class EventLog {
    private final BiConsumer<List<Map<String, Object>>, Consumer<Map<String, Object>>> backEnd;

    public EventLog(BiConsumer<List<Map<String, Object>>, Consumer<Map<String, Object>>> backEnd) {
        this.backEnd = backEnd;
    }

    public static Map<String, Object> selection(Class<?> type, String method) {
        Map<String, Object> fields = new HashMap<>();
        fields.put("text", method);
        fields.put("class", type.getName());
        fields.put("method", method);
        return fields;
    }

    /** All events but starts, sorted: {@code passed adds}; for events of a whole class {@code failed null}. */
    public List<String> of(Class<?> type, String method) {
        List<String> lines = new ArrayList<>();
        backEnd.accept(List.of(selection(type, method)), event -> {
            if (event.get("event").equals("finished")) {
                lines.add(event.get("status") + " " + event.get("method"));
            } else if (!event.get("event").equals("started")) {
                lines.add(event.get("event") + " " + event.get(event.containsKey("reason") ? "reason" : "method"));
            }
        });
        lines.sort(null);
        return lines;
    }

    /** The events as they are. */
    public List<Map<String, Object>> events(Class<?> type, String method) {
        List<Map<String, Object>> events = new ArrayList<>();
        backEnd.accept(List.of(selection(type, method)), events::add);
        return events;
    }
}

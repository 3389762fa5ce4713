package testevo.launcher.backend;

import java.lang.reflect.Method;
import java.util.List;

/** A selection with its class loaded and its method found; made by {@link #of}, which reports what is missing. */
public final class Resolved {
    public final Selection selection;
    public final Class<?> type;
    /** Null: the whole class. */
    public final Method method;

    private Resolved(Selection selection, Class<?> type, Method method) {
        this.selection = selection;
        this.type = type;
        this.method = method;
    }

    /** Null when it cannot be resolved; then the reason has been reported. */
    public static Resolved of(Selection selection, Events events) {
        try {
            Class<?> type = selection.load();
            return selection.method == null ? new Resolved(selection, type, null) : method(selection, type, events);
        } catch (ClassNotFoundException missing) {
            events.notFound(selection.text, "there is no class " + selection.type);
        } catch (LinkageError broken) {
            events.discoveryFailed(selection.text, broken);
        }
        return null;
    }

    private static Resolved method(Selection selection, Class<?> type, Events events) {
        List<Method> named = Declared.methods(type, selection.method);
        List<Method> found = Declared.withParameters(named, selection.parameters);
        if (found.size() == 1) {
            return new Resolved(selection, type, found.get(0));
        }
        if (found.isEmpty()) {
            String others = named.isEmpty() ? "" : "; there is " + Declared.describe(named);
            events.notFound(selection.text, "there is no such method in " + selection.type + others);
        } else {
            events.notFound(
                    selection.text,
                    "several methods fit, name the parameter types in full: " + Declared.describe(found));
        }
        return null;
    }
}

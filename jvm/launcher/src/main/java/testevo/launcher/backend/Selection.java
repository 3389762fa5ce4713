package testevo.launcher.backend;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A class, or one method of it, that the request asks for. */
public final class Selection {
    public final String text;
    public final String type;
    /** Null: the whole class. */
    public final String method;
    /** Erased type names, qualified or simple; null: whatever the one method of this name has. */
    public final String[] parameters;
    /** It runs apart from the other selections, after those before it. */
    public final boolean alone;
    /** Tags or categories of which its tests must have one; none: whatever they have. */
    public final List<String> includedTags;
    /** Tags or categories that its tests must not have. */
    public final List<String> excludedTags;
    /** Categories count by the rules of Surefire before 3.0.0-M5. */
    public final boolean olderCategories;
    /** Lines of a text in the form of {@link java.util.Properties}: configuration parameters of the JUnit Platform. */
    public final List<String> configurationParameters;

    public Selection(Map<String, Object> fields) {
        text = (String) fields.get("text");
        type = (String) fields.get("class");
        method = (String) fields.get("method");
        parameters = (String[]) fields.get("parameters");
        alone = Boolean.TRUE.equals(fields.get("alone"));
        includedTags = texts(fields.get("includedTags"));
        excludedTags = texts(fields.get("excludedTags"));
        olderCategories = Boolean.TRUE.equals(fields.get("olderCategories"));
        configurationParameters = texts(fields.get("configurationParameters"));
    }

    private static List<String> texts(Object value) {
        List<String> texts = new ArrayList<>();
        if (value != null) {
            for (Object text : (List<?>) value) {
                texts.add((String) text);
            }
        }
        return texts;
    }

    /** The selected class, not initialised. */
    public Class<?> load() throws ClassNotFoundException {
        return Class.forName(type, false, Thread.currentThread().getContextClassLoader());
    }
}

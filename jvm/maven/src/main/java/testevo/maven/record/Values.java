package testevo.maven.record;

import java.io.File;
import java.lang.reflect.Array;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.maven.model.Resource;
import org.codehaus.plexus.util.xml.Xpp3Dom;

/** Values of a build as texts, lists and maps. */
final class Values {
    private Values() {}

    /** Lists and arrays in their order, sets and maps sorted; an object that has no text of its own as its class. */
    static Object recorded(Object value) {
        if (value instanceof Set) {
            Set<String> texts = new TreeSet<>();
            ((Set<?>) value).forEach(one -> texts.add(String.valueOf(recorded(one))));
            return new ArrayList<>(texts);
        }
        if (value instanceof Collection) {
            List<Object> items = new ArrayList<>();
            ((Collection<?>) value).forEach(one -> items.add(recorded(one)));
            return items;
        }
        if (value != null && value.getClass().isArray()) {
            List<Object> items = new ArrayList<>();
            for (int index = 0; index < Array.getLength(value); index++) {
                items.add(recorded(Array.get(value, index)));
            }
            return items;
        }
        if (value instanceof Map) {
            Map<String, Object> items = new TreeMap<>();
            ((Map<?, ?>) value).forEach((key, one) -> items.put(String.valueOf(key), recorded(one)));
            return items;
        }
        return value instanceof Resource ? resource((Resource) value) : text(value);
    }

    private static String text(Object value) {
        boolean isPlain = value == null
                || value.getClass().getName().startsWith("java.lang.")
                || value instanceof File
                || value instanceof Path
                || value instanceof Enum;
        return isPlain ? String.valueOf(value) : value.getClass().getName();
    }

    private static Map<String, Object> resource(Resource resource) {
        Map<String, Object> found = new TreeMap<>();
        found.put("folder", resource.getDirectory());
        found.put("target", resource.getTargetPath());
        found.put("filtered", resource.isFiltering());
        found.put("includes", new ArrayList<>(resource.getIncludes()));
        found.put("excludes", new ArrayList<>(resource.getExcludes()));
        return found;
    }

    /** An element of a POM whose form only a plugin knows; null for none. */
    static Map<String, Object> element(Object element) {
        if (element == null) {
            return null;
        }
        Xpp3Dom dom = (Xpp3Dom) element;
        Map<String, String> attributes = new TreeMap<>();
        for (String name : dom.getAttributeNames()) {
            attributes.put(name, dom.getAttribute(name));
        }
        List<Object> children = new ArrayList<>();
        for (Xpp3Dom child : dom.getChildren()) {
            children.add(element(child));
        }
        Map<String, Object> found = new TreeMap<>();
        found.put("name", dom.getName());
        found.put("text", dom.getValue() == null ? "" : dom.getValue().trim());
        found.put("attributes", attributes);
        found.put("children", children);
        return found;
    }
}

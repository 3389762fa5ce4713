package testevo.launcher.backend;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Finds the method a selection means in a class and what it inherits. */
public final class Declared {
    private static final Map<Character, String> PRIMITIVES = new HashMap<>();

    static {
        String[] names = {"Zboolean", "Bbyte", "Cchar", "Sshort", "Iint", "Jlong", "Ffloat", "Ddouble"};
        for (String name : names) {
            PRIMITIVES.put(name.charAt(0), name.substring(1));
        }
    }

    private Declared() {}

    /**
     * The methods of this name as a subclass sees them: overridden and bridge methods left out, one for each
     * parameter list, and private ones of super classes only where nothing below has the same list.
     */
    public static List<Method> methods(Class<?> type, String name) {
        Map<String, Method> bySignature = new LinkedHashMap<>();
        for (Class<?> c = type; c != null; c = c.getSuperclass()) {
            collect(c, name, bySignature);
        }
        for (Class<?> c = type; c != null; c = c.getSuperclass()) {
            collectInterfaces(c, name, bySignature);
        }
        return new ArrayList<>(bySignature.values());
    }

    private static void collectInterfaces(Class<?> type, String name, Map<String, Method> bySignature) {
        for (Class<?> parent : type.getInterfaces()) {
            collect(parent, name, bySignature);
            collectInterfaces(parent, name, bySignature);
        }
    }

    private static void collect(Class<?> type, String name, Map<String, Method> bySignature) {
        for (Method method : type.getDeclaredMethods()) {
            if (method.getName().equals(name) && !method.isBridge()) {
                String key = String.join(",", parameters(method));
                Method known = bySignature.get(key);
                if (known == null
                        || (Modifier.isAbstract(known.getModifiers())
                                && !known.getDeclaringClass().equals(type)
                                && !Modifier.isAbstract(method.getModifiers())
                                && known.getDeclaringClass().isInterface())) {
                    bySignature.put(key, method);
                }
            }
        }
    }

    /** Of {@code candidates} those that have the selected parameter types; qualified names win over simple ones. */
    public static List<Method> withParameters(List<Method> candidates, String[] wanted) {
        if (wanted == null) {
            return candidates;
        }
        List<Method> exact = new ArrayList<>();
        List<Method> simple = new ArrayList<>();
        for (Method method : candidates) {
            int match = match(parameters(method), wanted);
            if (match == 2) {
                exact.add(method);
            } else if (match == 1) {
                simple.add(method);
            }
        }
        return exact.isEmpty() ? simple : exact;
    }

    /** 2: equal names, 1: equal when the wanted names are taken as simple ones, 0: different. */
    private static int match(String[] actual, String[] wanted) {
        if (actual.length != wanted.length) {
            return 0;
        }
        int match = 2;
        for (int i = 0; i < actual.length; i++) {
            String name = readable(wanted[i]);
            if (!actual[i].equals(name)) {
                if (!simple(actual[i]).equals(name)) {
                    return 0;
                }
                match = 1;
            }
        }
        return match;
    }

    /** {@code [Ljava.lang.String;}, {@code [I} and {@code String...} with brackets instead. */
    private static String readable(String name) {
        int dimensions = name.lastIndexOf('[') + 1;
        if (!name.startsWith("[")) {
            return name.replace("...", "[]");
        }
        StringBuilder text = new StringBuilder();
        if (name.charAt(dimensions) == 'L') {
            text.append(name, dimensions + 1, name.length() - 1);
        } else {
            text.append(PRIMITIVES.get(name.charAt(dimensions)));
        }
        while (dimensions-- > 0) {
            text.append("[]");
        }
        return text.toString();
    }

    private static String simple(String name) {
        return name.substring(Math.max(name.lastIndexOf('.'), name.lastIndexOf('$')) + 1);
    }

    /** Names as the JVM or a source writes them, with brackets for arrays. */
    public static String[] readable(String[] names) {
        String[] readable = new String[names.length];
        for (int i = 0; i < names.length; i++) {
            readable[i] = readable(names[i].trim());
        }
        return readable;
    }

    /** Erased, fully qualified (binary) names, arrays with brackets. */
    public static String[] parameters(Method method) {
        Class<?>[] types = method.getParameterTypes();
        String[] names = new String[types.length];
        for (int i = 0; i < types.length; i++) {
            names[i] = name(types[i]);
        }
        return names;
    }

    private static String name(Class<?> type) {
        return type.isArray() ? name(type.getComponentType()) + "[]" : type.getName();
    }

    /** One line for the reason of a selection that names nothing. */
    public static String describe(List<Method> candidates) {
        StringBuilder text = new StringBuilder();
        for (Method method : candidates) {
            text.append(text.length() == 0 ? "" : ", ").append(method.getName());
            text.append('(').append(String.join(",", parameters(method))).append(')');
        }
        return text.toString();
    }
}

package testevo.probe;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/** All instrumented methods by number, and what instrumented classes inherit from. */
final class Registry {
    private static volatile MethodInfo[] methods = new MethodInfo[1024];
    private static int count;
    private static final Map<String, Integer> NUMBERS = new HashMap<>();
    private static final Map<String, String[]> PARENTS = new HashMap<>();
    /** Lambdas to the methods, or lambdas, whose text they stand in. */
    private static final Map<String, String> AROUND = new HashMap<>();
    /** Local and anonymous classes to the methods whose text they stand in. */
    private static final Map<String, String> AROUND_TYPE = new HashMap<>();

    private Registry() {}

    /** The same number for a method that a second loader brings again. */
    static synchronized int add(MethodInfo method) {
        String key = key(method.type, method.name, method.descriptor);
        Integer known = NUMBERS.get(key);
        if (known != null) {
            return known;
        }
        NUMBERS.put(key, count);
        if (count == methods.length) {
            methods = Arrays.copyOf(methods, count * 2);
        }
        methods[count] = method;
        return count++;
    }

    static MethodInfo at(int number) {
        return methods[number];
    }

    private static String key(String type, String name, String descriptor) {
        return type + '.' + name + descriptor;
    }

    /** Notes that the text of one method of {@code type} holds a lambda; methods are given by name and descriptor. */
    static synchronized void addLambda(String type, String around, String lambda) {
        AROUND.put(type + '.' + lambda, type + '.' + around);
    }

    /** The method whose text holds a lambda, through lambdas around it; null when it is not known. */
    static synchronized MethodInfo around(MethodInfo lambda) {
        String key = AROUND.get(key(lambda.type, lambda.name, lambda.descriptor));
        while (AROUND.containsKey(key)) {
            key = AROUND.get(key);
        }
        Integer number = NUMBERS.get(key);
        return number == null ? null : methods[number];
    }

    /** Notes that the text of a method of {@code owner}, given by name and descriptor, declares a class. */
    static synchronized void addLocalType(String type, String owner, String around) {
        AROUND_TYPE.put(type, owner + '.' + around);
    }

    /** The outermost method whose text holds a method of a local class, or a lambda; null when it is in none. */
    static synchronized Integer outermostAround(MethodInfo inner) {
        String key = key(inner.type, inner.name, inner.descriptor);
        Integer found = null;
        for (String next = next(key, inner.type); next != null; ) {
            found = NUMBERS.get(next);
            next = found == null ? null : next(next, methods[found].type);
        }
        return found;
    }

    private static String next(String method, String type) {
        String around = AROUND.get(method);
        return around == null ? AROUND_TYPE.get(type) : around;
    }

    static synchronized void addType(String type, String superType, String[] interfaces) {
        String[] parents = Arrays.copyOf(interfaces, interfaces.length + 1);
        parents[interfaces.length] = superType;
        PARENTS.put(type, parents);
    }

    /** Whether {@code type} is {@code ancestor} or inherits from it through instrumented classes. */
    static synchronized boolean inherits(String type, String ancestor) {
        if (type == null) {
            return false;
        }
        if (type.equals(ancestor)) {
            return true;
        }
        String[] parents = PARENTS.get(type);
        if (parents != null) {
            for (String parent : parents) {
                if (inherits(parent, ancestor)) {
                    return true;
                }
            }
        }
        return false;
    }
}

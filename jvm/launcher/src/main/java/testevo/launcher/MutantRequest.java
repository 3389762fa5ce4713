package testevo.launcher;

import java.util.Base64;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The part of a request that asks for runs of several versions of the code: keys that begin with {@code mutant}.
 *
 * <p>Versions have numbers. One that changes no class is the unmutated code; nothing else tells it apart.
 */
final class MutantRequest {
    /** Longest time of any run; all after the first get less when that says so. */
    long limitMillis = 60_000;

    double factor = 1;
    long extraMillis;
    /** Unmutated class files by binary name of all classes that some version changes; an empty one: there is none. */
    private final Map<String, byte[]> originals = new HashMap<>();
    /** Number of the version, then its own class files by binary name, in order; an empty one is a class that is gone. */
    final Map<String, Map<String, byte[]>> classes = new LinkedHashMap<>();

    private Map<String, byte[]> last;

    /** False when the key is none of a mutant request. */
    boolean add(String key, String value) {
        if (key.equals("mutant")) {
            last = new LinkedHashMap<>();
            classes.put(value, last);
        } else if (key.equals("mutant-class")) {
            put(last, value);
        } else if (key.equals("mutant-original")) {
            put(originals, value);
        } else if (key.equals("mutant-limit-millis")) {
            limitMillis = Long.parseLong(value);
        } else if (key.equals("mutant-factor")) {
            factor = Double.parseDouble(value);
        } else if (key.equals("mutant-extra-millis")) {
            extraMillis = Long.parseLong(value);
        } else {
            return false;
        }
        return true;
    }

    private static void put(Map<String, byte[]> files, String value) {
        int space = value.indexOf(' ');
        String name = space < 0 ? value : value.substring(0, space);
        files.put(name, space < 0 ? new byte[0] : Base64.getDecoder().decode(value.substring(space + 1)));
    }

    /** The class files of one version: for all versions of the same classes, so that all are loaded in the same way. */
    Map<String, byte[]> version(Map<String, byte[]> own) {
        Map<String, byte[]> whole = new HashMap<>(originals);
        whole.putAll(own);
        return whole;
    }
}

package testevo.launcher;

import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;

/** The part of a request that asks for runs against mutants: keys that begin with {@code mutant}. */
final class MutantRequest {
    /** Longest time of any run; mutants get less when the unmutated run says so. */
    long limitMillis = 60_000;

    double factor = 1;
    long extraMillis;
    /** Name of the mutant, then class files by binary name, in order; an empty one is a class that is gone. */
    final Map<String, Map<String, byte[]>> classes = new LinkedHashMap<>();

    private Map<String, byte[]> last;

    /** False when the key is none of a mutant request. */
    boolean add(String key, String value) {
        if (key.equals("mutant")) {
            last = new LinkedHashMap<>();
            classes.put(value, last);
        } else if (key.equals("mutant-class")) {
            int space = value.indexOf(' ');
            String name = space < 0 ? value : value.substring(0, space);
            last.put(name, space < 0 ? new byte[0] : Base64.getDecoder().decode(value.substring(space + 1)));
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
}

package testevo.coverage;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.TreeMap;

/** What instrumented classes call once each, and what the launcher reads when the tests are over. */
public final class Probes {
    private static final TreeMap<String, boolean[]> TAKEN = new TreeMap<String, boolean[]>();

    private Probes() {}

    /** The probes of a class; the same for every loader that loads it. */
    public static boolean[] get(long id, String name, int count) {
        String key = name + " " + id;
        synchronized (TAKEN) {
            boolean[] probes = TAKEN.get(key);
            if (probes == null) {
                probes = new boolean[count];
                TAKEN.put(key, probes);
            }
            return probes;
        }
    }

    /** One text for each class that was loaded: name, id, and a 1 for each probe that was passed, 0 for the others. */
    public static String[] taken() {
        List<String> lines = new ArrayList<String>();
        synchronized (TAKEN) {
            for (Iterator<String> keys = TAKEN.keySet().iterator(); keys.hasNext(); ) {
                String key = keys.next();
                StringBuilder line = new StringBuilder(key).append(' ');
                for (boolean passed : TAKEN.get(key)) {
                    line.append(passed ? '1' : '0');
                }
                lines.add(line.toString());
            }
        }
        return lines.toArray(new String[0]);
    }
}

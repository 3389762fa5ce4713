package testevo.coverage;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.TreeMap;

/** What instrumented classes call once each, and what the launcher reads when the tests are over. */
public final class Probes {
    /** Set where a line is entered; what the places mean is known to whoever instrumented the classes. */
    public static final boolean[] LINES = new boolean[1 << 18];

    /** An empty file in each folder of instrumented classes. */
    static final String MARK = "/testevo.instrumented";

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

    /**
     * One text for each class that was loaded: name, id, and a 1 for each probe that was passed, 0 for the others; before
     * them one for the lines, named {@code *}. Null when the folder of instrumented classes is not in sight: then classes
     * without probes have run, and nothing noted does not mean nothing covered.
     */
    public static String[] taken() {
        if (Probes.class.getResource(MARK) == null) {
            return null;
        }
        List<String> lines = new ArrayList<String>();
        int count = LINES.length;
        while (count > 0 && !LINES[count - 1]) {
            count--;
        }
        lines.add(bits("* 0", LINES, count));
        synchronized (TAKEN) {
            for (Iterator<String> keys = TAKEN.keySet().iterator(); keys.hasNext(); ) {
                String key = keys.next();
                boolean[] probes = TAKEN.get(key);
                lines.add(bits(key, probes, probes.length));
            }
        }
        return lines.toArray(new String[0]);
    }

    private static String bits(String key, boolean[] bits, int count) {
        StringBuilder line = new StringBuilder(key).append(' ');
        for (int i = 0; i < count; i++) {
            line.append(bits[i] ? '1' : '0');
        }
        return line.toString();
    }
}

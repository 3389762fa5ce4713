package testevo.launcher;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.jar.JarFile;

/**
 * Runs the selected test against versions of the code, one after the other, each in a class loader and a thread of its
 * own, and all in the same way.
 *
 * <p>The first run gives the time limit of the others: that of the unmutated code, which comes again later. After a run
 * that has changed anything of the JVM that could reach the next one (see {@link JvmState}) no more are made: the rest
 * needs a fresh JVM. What a run can reach from its thread and its loader holds neither the request nor other versions.
 */
final class MutantRuns {
    private final Request request;
    private final Channel channel;
    private final MutantRequest mutants;
    private final List<String> unreached = new ArrayList<>();
    private JvmState state;

    MutantRuns(Request request, Channel channel) {
        this.request = request;
        this.channel = channel;
        this.mutants = request.mutants;
    }

    /** False when no more runs may be made in this JVM. */
    boolean run() throws Exception {
        System.setProperty("java.class.path", request.joinedClassPath());
        List<Closeable> open = openJars();
        state = JvmState.now();
        long limit = mutants.limitMillis;
        boolean first = true;
        for (Map.Entry<String, Map<String, byte[]>> version : mutants.classes.entrySet()) {
            if (unreached.contains(version.getKey())) {
                continue;
            }
            long millis = one(version.getKey(), version.getValue(), limit, first);
            if (millis < 0) {
                return false;
            }
            if (first) {
                limit = Math.min(mutants.limitMillis, (long) (mutants.factor * millis) + mutants.extraMillis);
            }
            first = false;
        }
        for (Closeable jar : open) {
            jar.close();
        }
        return true;
    }

    /** The JDK reads the directory of a jar once as long as somebody holds it open, not once for each loader. */
    private List<Closeable> openJars() {
        List<Closeable> open = new ArrayList<>();
        List<String> entries = new ArrayList<>(request.classPath);
        entries.addAll(request.backEndPath);
        for (String entry : entries) {
            if (entry.endsWith(".jar")) {
                try {
                    open.add(new JarFile(entry));
                } catch (IOException unreadable) {
                    continue; // As for every class loader, which leaves it out.
                }
            }
        }
        return open;
    }

    /** The milliseconds the run took, or -1 when nothing may run after it. */
    private long one(String name, Map<String, byte[]> classes, long limit, boolean first) throws Exception {
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("event", "mutant");
        line.put("name", name);
        channel.write(line);
        ProjectLoader loader = ProjectLoader.over(request, mutants.version(classes));
        Run run = new Run(channel, request.backEnd, request.selections, loader);
        long start = System.nanoTime();
        run.start();
        run.join(Math.max(1, limit));
        long millis = (System.nanoTime() - start) / 1_000_000;
        line = new LinkedHashMap<>();
        line.put("event", "mutant_end");
        line.put("name", name);
        if (run.isAlive()) {
            line.put("timed_out", true);
            channel.write(line);
            // Whatever it hangs in must not get the chance to hold up the end.
            Runtime.getRuntime().halt(0);
        }
        if (first) {
            line.put("unreached", unreached(loader));
        }
        loader.close();
        String left = state.leftBehind();
        line.put("timed_out", false);
        line.put("broken", run.failure == null ? null : run.failure.toString());
        line.put("left", left);
        channel.write(line);
        return left == null ? millis : -1;
    }

    /** Versions whose class files all belong to classes that the first run has not loaded: nothing of them can run. */
    private String[] unreached(ProjectLoader loader) {
        for (Map.Entry<String, Map<String, byte[]>> mutant : mutants.classes.entrySet()) {
            boolean loaded = mutant.getValue().isEmpty();
            for (String type : mutant.getValue().keySet()) {
                loaded |= loader.hasLoaded(type);
            }
            if (!loaded) {
                unreached.add(mutant.getKey());
            }
        }
        return unreached.toArray(new String[0]);
    }

    /** A thread of its own, so that thread locals, interrupts and the context loader end with the run. */
    private static final class Run extends Thread {
        private final Channel channel;
        private final String backEnd;
        private final List<Map<String, Object>> selections;
        private final ClassLoader loader;
        volatile Throwable failure;

        Run(Channel channel, String backEnd, List<Map<String, Object>> selections, ClassLoader loader) {
            super("main");
            this.channel = channel;
            this.backEnd = backEnd;
            this.selections = selections;
            this.loader = loader;
            setContextClassLoader(loader);
        }

        @Override
        public void run() {
            try {
                Verdicts verdicts = new Verdicts(channel, null, new Callers(loader));
                Main.backEnd(backEnd, loader).accept(selections, verdicts);
            } catch (Throwable thrown) {
                failure = thrown;
            }
        }
    }
}

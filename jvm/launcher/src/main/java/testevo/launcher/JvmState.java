package testevo.launcher;

import java.io.File;
import java.io.InputStream;
import java.io.PrintStream;
import java.net.CookieHandler;
import java.net.ProxySelector;
import java.nio.file.Files;
import java.security.Provider;
import java.security.Security;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TimeZone;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * What a test can change in its JVM and its folders although all its classes go with their loader: threads, system
 * properties, streams, locale, time zone, handlers, sockets, files.
 */
final class JvmState {
    private static final long PATIENCE_MILLIS = 500;
    private static final int MOST_FILES = 50_000;

    private final Set<Thread> threads = new HashSet<>();
    private final Map<Object, Object> properties;
    private final PrintStream out = System.out;
    private final PrintStream err = System.err;
    private final InputStream in = System.in;
    private final Locale[] locales = locales();
    private final TimeZone zone = TimeZone.getDefault();
    private final Object manager = manager();
    private final Thread.UncaughtExceptionHandler handler = Thread.getDefaultUncaughtExceptionHandler();
    private final String providers = providers();
    private final Level level = Logger.getLogger("").getLevel();
    private final Handler[] handlers = Logger.getLogger("").getHandlers();
    private final ProxySelector proxies = ProxySelector.getDefault();
    private final CookieHandler cookies = CookieHandler.getDefault();
    private final long sockets = sockets();
    private final String[] folders;
    private final long files;

    private JvmState() {
        threads.addAll(Thread.getAllStackTraces().keySet());
        properties = new HashMap<>(System.getProperties());
        folders = new String[] {
            System.getProperty("user.dir"), System.getProperty("java.io.tmpdir"), System.getProperty("user.home")
        };
        files = files();
    }

    static JvmState now() {
        return new JvmState();
    }

    /** What differs from when this state was taken, null when nothing does. */
    String leftBehind() throws InterruptedException {
        if (System.out != out || System.err != err || System.in != in) {
            return "a standard stream is another one";
        }
        if (!properties.equals(System.getProperties())) {
            return "a system property differs";
        }
        if (!Arrays.equals(locales, locales()) || !zone.equals(TimeZone.getDefault())) {
            return "the default locale or time zone differs";
        }
        if (manager != manager()
                || handler != Thread.getDefaultUncaughtExceptionHandler()
                || !providers.equals(providers())
                || proxies != ProxySelector.getDefault()
                || cookies != CookieHandler.getDefault()) {
            return "a handler of the JVM is another one";
        }
        Logger root = Logger.getLogger("");
        if (level != root.getLevel() || !Arrays.equals(handlers, root.getHandlers())) {
            return "the root logger differs";
        }
        String thread = leftThread();
        if (thread != null) {
            return "the thread " + thread + " is left";
        }
        if (sockets != sockets()) {
            return "a socket is left open";
        }
        return files == files() ? null : "a file differs";
    }

    /** Threads that are about to end get a moment. */
    private String leftThread() throws InterruptedException {
        long patience = System.nanoTime() + PATIENCE_MILLIS * 1_000_000;
        while (true) {
            String left = null;
            for (Thread thread : Thread.getAllStackTraces().keySet()) {
                if (!threads.contains(thread) && thread.isAlive() && !isOfJvm(thread)) {
                    left = thread.getName();
                }
            }
            if (left == null || System.nanoTime() > patience) {
                return left;
            }
            Thread.sleep(5);
        }
    }

    /** Threads the JDK starts for itself, which hold nothing of the project: cleaners, and idle workers of its pool. */
    private static boolean isOfJvm(Thread thread) {
        if (!thread.isDaemon() || thread.getClass().getClassLoader() != null) {
            return false;
        }
        String name = thread.getName();
        if (name.startsWith("ForkJoinPool.commonPool-worker-")) {
            for (StackTraceElement frame : thread.getStackTrace()) {
                if (!frame.getClassName().startsWith("java.")) {
                    return false;
                }
            }
            return true;
        }
        return name.equals("Common-Cleaner")
                || name.equals("process reaper")
                || name.equals("Attach Listener")
                || name.startsWith("Cleaner-")
                || name.equals("Java2D Disposer")
                || name.equals("Finalizer")
                || name.equals("Reference Handler")
                || name.equals("Signal Dispatcher");
    }

    private static Locale[] locales() {
        return new Locale[] {
            Locale.getDefault(), Locale.getDefault(Locale.Category.DISPLAY), Locale.getDefault(Locale.Category.FORMAT)
        };
    }

    /** By name, since later JVMs do without. */
    private static Object manager() {
        try {
            return System.class.getMethod("getSecurityManager").invoke(null);
        } catch (ReflectiveOperationException none) {
            return null;
        }
    }

    private static String providers() {
        StringBuilder names = new StringBuilder();
        for (Provider provider : Security.getProviders()) {
            names.append(provider.getName()).append('\n');
        }
        return names.toString();
    }

    private static long sockets() {
        File[] open = new File("/proc/self/fd").listFiles();
        long count = 0;
        if (open != null) {
            for (File file : open) {
                try {
                    if (Files.readSymbolicLink(file.toPath()).toString().startsWith("socket:")) {
                        count++;
                    }
                } catch (java.io.IOException closed) {
                    continue; // it was open when the folder was read
                }
            }
        }
        return count;
    }

    /** A number that changes when a file in the folders of the run appears, goes, grows, shrinks or is written. */
    private long files() {
        Walk walk = new Walk();
        for (String folder : folders) {
            walk.folder(new File(folder), "");
        }
        return walk.number;
    }

    private static final class Walk {
        long number;
        private int count;

        void folder(File folder, String path) {
            File[] entries = folder.listFiles();
            if (entries == null) {
                return;
            }
            for (File entry : entries) {
                if (++count > MOST_FILES) {
                    return;
                }
                String name = path + "/" + entry.getName();
                boolean isLink = Files.isSymbolicLink(entry.toPath());
                boolean isFolder = !isLink && entry.isDirectory();
                long facts = isFolder || isLink ? 0 : entry.length() * 31 + entry.lastModified();
                number += name.hashCode() * 1_000_003L + facts * 7;
                if (isFolder) {
                    folder(entry, name);
                }
            }
        }
    }
}

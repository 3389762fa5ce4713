package testevo.launcher;

/** Reads the probes of instrumented classes, which lie in the loader of the project's classes. */
final class Coverage {
    private Coverage() {}

    /** Null when the tests have made them unreadable: coverage is then unknown, and the verdicts stand. */
    static String[] taken(ClassLoader loader) {
        try {
            Class<?> probes = Class.forName("testevo.coverage.Probes", true, loader);
            return (String[]) probes.getMethod("taken").invoke(null);
        } catch (Throwable unreadable) {
            Main.STANDARD_ERROR.println("launcher: no coverage: " + unreadable);
            return null;
        }
    }
}

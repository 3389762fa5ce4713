package testevo.launcher;

import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.IOException;

/** What a JVM that was started ahead of its run does until it is told to begin. */
final class Ahead {
    private Ahead() {
    }

    /**
     * Loads and initialises JUnit's classes, which the run would do first, and waits.
     *
     * @param names file with a binary class name a line; empty for none
     * @return whether the run is to begin; false when nobody wants it any more
     */
    static boolean begins(String names) throws IOException {
        if (!names.isEmpty()) {
            load(Request.lines(names));
        }
        return new FileInputStream(FileDescriptor.in).read() >= 0;
    }

    private static void load(Iterable<String> names) {
        ClassLoader loader = ClassLoader.getSystemClassLoader();
        for (String name : names) {
            try {
                Class.forName(name, true, loader);
            } catch (ClassNotFoundException | LinkageError absent) {
                // A run that needs it will say so.
            }
        }
    }
}

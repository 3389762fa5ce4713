package testevo.launcher;

import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Paths;

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
            load(new String(Files.readAllBytes(Paths.get(names)), StandardCharsets.UTF_8));
        }
        return new FileInputStream(FileDescriptor.in).read() >= 0;
    }

    private static void load(String names) {
        ClassLoader loader = ClassLoader.getSystemClassLoader();
        int start = 0;
        while (start < names.length()) {
            int end = names.indexOf('\n', start);
            end = end < 0 ? names.length() : end;
            try {
                Class.forName(names.substring(start, end), true, loader);
            } catch (ClassNotFoundException | LinkageError absent) {
                // A run that needs it will say so.
            }
            start = end + 1;
        }
    }
}

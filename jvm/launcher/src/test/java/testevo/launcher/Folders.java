package testevo.launcher;

import java.io.File;

/** Temporary folders of tests; the oldest JUnit 5 has none. */
final class Folders {
    private Folders() {}

    static void delete(java.nio.file.Path folder) {
        delete(folder.toFile());
    }

    private static void delete(File file) {
        File[] entries = file.listFiles();
        if (entries != null) {
            for (File entry : entries) {
                delete(entry);
            }
        }
        if (!file.delete()) {
            throw new IllegalStateException(file + " cannot be deleted");
        }
    }
}

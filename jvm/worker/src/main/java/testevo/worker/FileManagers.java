package testevo.worker;

import java.io.File;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.StandardLocation;
import javax.tools.ToolProvider;
import testevo.lines.Refusal;

/**
 * The compiler and its file managers.
 *
 * <p>A file manager keeps jars open, which is most of the gain of a warm compiler. It also keeps what options did to
 * it, so one is used again only for the same options and a class path of the same jars (path, size and time). Folders
 * on the class path are another matter: nothing is kept of them.
 */
final class FileManagers {
    private static final int KEPT = 4;
    private static final boolean IS_JDK_8 = "1.8".equals(System.getProperty("java.specification.version"));
    private static final Map<String, StandardLocation> LOCATIONS = locations();
    private static final List<String> PLATFORM = Arrays.asList(
            "-bootclasspath",
            "-Xbootclasspath",
            "-extdirs",
            "-endorseddirs",
            "-Djava.ext.dirs",
            "-Djava.endorsed.dirs");

    final JavaCompiler compiler;
    private final LinkedHashMap<String, StandardJavaFileManager> kept = new LinkedHashMap<>(16, 0.75f, true);

    FileManagers() {
        compiler = ToolProvider.getSystemJavaCompiler();
    }

    /** A file manager whose class path is set; to be given back to {@link #done}. */
    StandardJavaFileManager get(List<String> classPath, List<String> options) throws IOException {
        if (compiler == null) {
            throw new IllegalStateException("this is a Java runtime without a compiler, not a JDK");
        }
        String key = key(classPath, options);
        StandardJavaFileManager files = kept.get(key);
        if (files == null) {
            files = compiler.getStandardFileManager(null, Locale.ENGLISH, charset(options));
            kept.put(key, files);
        }
        files.setLocation(StandardLocation.CLASS_PATH, folders(classPath));
        setLocations(files, options);
        return files;
    }

    /** The encoding of sources: a file manager that is given one does not look for this option itself. */
    static Charset charset(List<String> options) {
        int encoding = options.lastIndexOf("-encoding");
        return encoding < 0 ? StandardCharsets.UTF_8 : Charset.forName(options.get(encoding + 1));
    }

    /**
     * Sets what options say of locations: after the first that is set, the compiler of JDK 8 overlooks these options.
     *
     * @throws Refusal an option would be overlooked all the same
     */
    private static void setLocations(StandardJavaFileManager files, List<String> options) throws IOException {
        for (int i = 0; i < options.size(); i++) {
            String option = options.get(i);
            StandardLocation location = LOCATIONS.get(option);
            if (location != null && i + 1 < options.size()) {
                String value = options.get(i + 1);
                files.setLocation(
                        location,
                        value.isEmpty() ? new ArrayList<>() : folders(Arrays.asList(value.split(File.pathSeparator))));
            } else if (IS_JDK_8 && PLATFORM.stream().anyMatch(option::startsWith)) {
                throw new Refusal("the compiler of JDK 8 would overlook " + option);
            }
        }
    }

    private static Map<String, StandardLocation> locations() {
        Map<String, StandardLocation> locations = new HashMap<>();
        locations.put("-sourcepath", StandardLocation.SOURCE_PATH);
        locations.put("-processorpath", StandardLocation.ANNOTATION_PROCESSOR_PATH);
        locations.put("-s", StandardLocation.SOURCE_OUTPUT);
        return locations;
    }

    /** Closes the file managers used least recently, and {@code files} when the request failed. */
    void done(StandardJavaFileManager files, boolean reusable) throws IOException {
        if (!reusable) {
            kept.values().remove(files);
            files.close();
        }
        while (kept.size() > KEPT) {
            Map.Entry<String, StandardJavaFileManager> eldest =
                    kept.entrySet().iterator().next();
            kept.remove(eldest.getKey());
            eldest.getValue().close();
        }
    }

    private static List<File> folders(List<String> classPath) {
        List<File> files = new ArrayList<>();
        for (String entry : classPath) {
            files.add(new File(entry));
        }
        return files;
    }

    private static String key(List<String> classPath, List<String> options) {
        StringBuilder key = new StringBuilder();
        for (String option : options) {
            key.append(option).append('\n');
            for (String entry : option.split(File.pathSeparator)) {
                stamp(entry, key);
            }
        }
        key.append('\n');
        for (String entry : classPath) {
            stamp(entry, key);
        }
        return key.toString();
    }

    /** Processor and module paths are options, so their jars are stamped as well. */
    private static void stamp(String entry, StringBuilder key) {
        File file = new File(entry);
        if (entry.endsWith(".jar") && file.isFile()) {
            key.append(entry)
                    .append(' ')
                    .append(file.length())
                    .append(' ')
                    .append(file.lastModified())
                    .append('\n');
        }
    }
}

package testevo.probe;

import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.jar.JarFile;

/** Which folders and jars hold production and test classes: lines {@code production|test|output <absolute path>}. */
final class Configuration {
    String output;
    /** Canonical path of a root to whether it holds tests. */
    private final Map<String, Boolean> roots = new LinkedHashMap<>();

    /** Canonical paths of locations; null where one is in no file. */
    private final Map<String, String> paths = new HashMap<>();

    /** The roots that have a folder for a package. */
    private final Map<String, List<File>> byPackage = new HashMap<>();

    static Configuration read(String file) throws IOException {
        Configuration configuration = new Configuration();
        String text = new String(Files.readAllBytes(Paths.get(file)), StandardCharsets.UTF_8);
        for (String line : text.split("\n")) {
            if (!line.trim().isEmpty()) {
                configuration.add(line);
            }
        }
        if (configuration.output == null) {
            throw new IllegalArgumentException("the configuration of the probe names no output: " + file);
        }
        return configuration;
    }

    private void add(String line) throws IOException {
        int space = line.indexOf(' ');
        String key = space < 0 ? line : line.substring(0, space);
        String value = space < 0 ? "" : line.substring(space + 1);
        if (key.equals("production")) {
            roots.put(new File(value).getCanonicalPath(), Boolean.FALSE);
        } else if (key.equals("test")) {
            roots.put(new File(value).getCanonicalPath(), Boolean.TRUE);
        } else if (key.equals("output")) {
            output = value;
        } else {
            throw new IllegalArgumentException("unknown key in the configuration of the probe: " + line);
        }
    }

    /** True: a test class; false: a production class; null: neither. */
    synchronized Boolean holdsTests(URL location) throws IOException {
        return roots.get(path(location));
    }

    /** The same for a root. */
    Boolean holdsTests(File root) {
        return roots.get(root.getPath());
    }

    /**
     * The root whose folder has a class file of that internal name, although the class does not come from there as far as
     * its location (null: unknown) tells; null when there is none, or the location has a class of the name itself.
     */
    synchronized File otherRoot(URL location, String name) throws IOException {
        File root = rootOf(name);
        String path = root == null || location == null ? null : path(location);
        return path != null && holds(new File(path), name) ? null : root;
    }

    private File rootOf(String name) {
        for (File root : rootsOfPackage(name.substring(0, name.lastIndexOf('/') + 1))) {
            if (holdsFile(root, name)) {
                return root;
            }
        }
        return null;
    }

    private List<File> rootsOfPackage(String folder) {
        List<File> found = byPackage.get(folder);
        if (found == null) {
            found = new ArrayList<>();
            for (String root : roots.keySet()) {
                if (new File(root, folder).isDirectory()) {
                    found.add(new File(root));
                }
            }
            byPackage.put(folder, found);
        }
        return found;
    }

    private static boolean holds(File place, String name) throws IOException {
        if (!place.isFile()) {
            return holdsFile(place, name);
        }
        try (JarFile jar = new JarFile(place)) {
            return jar.getEntry(name + ".class") != null;
        }
    }

    private static boolean holdsFile(File folder, String name) {
        return new File(folder, name + ".class").isFile();
    }

    private String path(URL location) throws IOException {
        String key = location.toString();
        if (!paths.containsKey(key)) {
            paths.put(key, canonicalPath(location));
        }
        return paths.get(key);
    }

    private static String canonicalPath(URL location) throws IOException {
        if (!"file".equals(location.getProtocol())) {
            return null;
        }
        try {
            return new File(location.toURI()).getCanonicalPath();
        } catch (URISyntaxException | IllegalArgumentException unescaped) {
            return new File(location.getPath()).getCanonicalPath();
        }
    }
}

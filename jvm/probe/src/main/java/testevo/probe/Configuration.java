package testevo.probe;

import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.HashMap;
import java.util.Map;

/** Which folders and jars hold production and test classes: lines {@code production|test|output <absolute path>}. */
final class Configuration {
    String output;
    /** Canonical path of a root to whether it holds tests. */
    private final Map<String, Boolean> roots = new HashMap<>();

    private final Map<String, Boolean> byLocation = new HashMap<>();

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
        String key = location.toString();
        if (!byLocation.containsKey(key)) {
            byLocation.put(key, roots.get(path(location)));
        }
        return byLocation.get(key);
    }

    private static String path(URL location) throws IOException {
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

package testevo.launcher.platform;

import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;

/** Configuration parameters as a build writes them: a text in the form of {@link Properties}. */
final class ParametersText {
    private ParametersText() {}

    static Map<String, String> read(List<String> lines) {
        Properties properties = new Properties();
        try {
            properties.load(new StringReader(String.join("\n", lines)));
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        Map<String, String> parameters = new HashMap<>();
        for (String name : properties.stringPropertyNames()) {
            parameters.put(name, properties.getProperty(name));
        }
        return parameters;
    }
}

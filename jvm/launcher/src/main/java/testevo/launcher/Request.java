package testevo.launcher;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What to run: lines {@code key value} in UTF-8, in any order; class path entries keep theirs. */
final class Request {
    String backEnd;
    boolean probeHook;
    boolean coverage;
    /** The JVM was started with everything on its class path; else it is loaded by a {@link ProjectLoader}. */
    boolean onClassPath;
    /** Null: run the selections once. */
    MutantRequest mutants;

    final List<String> classPath = new ArrayList<>();
    final List<String> backEndPath = new ArrayList<>();
    /** The selections run one after the other, in their order; else an engine orders them. */
    private boolean oneByOne;

    /** Tags or categories that tests must have one of, and must not have; none where all tests run. */
    private final List<String> includedTags = new ArrayList<>();

    private final List<String> excludedTags = new ArrayList<>();

    /** Categories count by the rules of Surefire before 3.0.0-M5. */
    private boolean olderCategories;

    /** Lines of the text in which the build sets configuration parameters of the JUnit Platform. */
    private final List<String> parameters = new ArrayList<>();

    /**
     * Each with the keys text, class, method (or null), parameters (or null: any), alone, includedTags, excludedTags,
     * olderCategories, configurationParameters.
     */
    final List<Map<String, Object>> selections = new ArrayList<Map<String, Object>>();

    static Request read(String file) throws IOException {
        Request request = new Request();
        for (String line : lines(file)) {
            if (!line.trim().isEmpty()) {
                request.add(line);
            }
        }
        for (Map<String, Object> selection : request.selections) {
            selection.put("alone", request.oneByOne);
            selection.put("includedTags", request.includedTags);
            selection.put("excludedTags", request.excludedTags);
            selection.put("olderCategories", request.olderCategories);
            selection.put("configurationParameters", request.parameters);
        }
        if (request.backEnd == null) {
            throw new IllegalArgumentException("the request names no backend (junit3, junit4 or platform)");
        }
        return request;
    }

    /** The lines of a file in UTF-8; by hand, as regular expressions and readers load classes that tests would not. */
    static List<String> lines(String file) throws IOException {
        String text = new String(Files.readAllBytes(Paths.get(file)), StandardCharsets.UTF_8);
        List<String> lines = new ArrayList<>();
        int start = 0;
        while (start < text.length()) {
            int end = text.indexOf('\n', start);
            end = end < 0 ? text.length() : end;
            lines.add(text.substring(start, end));
            start = end + 1;
        }
        return lines;
    }

    private void add(String line) {
        int space = line.indexOf(' ');
        String key = space < 0 ? line : line.substring(0, space);
        String value = space < 0 ? "" : line.substring(space + 1);
        if (key.equals("backend")) {
            backEnd = value.trim();
        } else if (key.equals("class-path")) {
            classPath.add(value);
        } else if (key.equals("backend-path")) {
            backEndPath.add(value);
        } else if (key.equals("select-class")) {
            selections.add(selection(value.trim(), value.trim(), null, null));
        } else if (key.equals("select-method")) {
            selections.add(method(value.trim()));
        } else if (key.equals("probe-hook")) {
            probeHook = value.trim().equals("true");
        } else if (key.equals("coverage")) {
            coverage = value.trim().equals("true");
        } else if (key.equals("one-by-one")) {
            oneByOne = value.trim().equals("true");
        } else if (key.equals("include-tag")) {
            includedTags.add(value);
        } else if (key.equals("exclude-tag")) {
            excludedTags.add(value);
        } else if (key.equals("older-categories")) {
            olderCategories = value.trim().equals("true");
        } else if (key.equals("configuration-parameters")) {
            parameters.add(value);
        } else if (key.equals("on-class-path")) {
            onClassPath = value.trim().equals("true");
        } else if (key.startsWith("mutant")) {
            mutants = mutants == null ? new MutantRequest() : mutants;
            if (!mutants.add(key, value)) {
                throw new IllegalArgumentException("unknown key in the request: " + line);
            }
        } else {
            throw new IllegalArgumentException("unknown key in the request: " + line);
        }
    }

    private static Map<String, Object> method(String text) {
        int hash = text.indexOf('#');
        if (hash < 0) {
            throw new IllegalArgumentException("select-method wants <class>#<method>(<types>), got " + text);
        }
        int open = text.indexOf('(', hash);
        if (open < 0) {
            return selection(text, text.substring(0, hash), text.substring(hash + 1), null);
        }
        if (!text.endsWith(")")) {
            throw new IllegalArgumentException("select-method without its closing parenthesis: " + text);
        }
        String types = text.substring(open + 1, text.length() - 1);
        return selection(text, text.substring(0, hash), text.substring(hash + 1, open), split(types));
    }

    private static String[] split(String types) {
        List<String> names = new ArrayList<>();
        int start = 0;
        while (start < types.length()) {
            int comma = types.indexOf(',', start);
            comma = comma < 0 ? types.length() : comma;
            names.add(types.substring(start, comma).trim());
            start = comma + 1;
        }
        return names.toArray(new String[0]);
    }

    private static Map<String, Object> selection(String text, String type, String method, String[] parameters) {
        Map<String, Object> selection = new HashMap<>();
        selection.put("text", text);
        selection.put("class", type);
        selection.put("method", method);
        selection.put("parameters", parameters);
        return selection;
    }

    String joinedClassPath() {
        StringBuilder joined = new StringBuilder();
        for (String entry : classPath) {
            if (joined.length() > 0) {
                joined.append(File.pathSeparatorChar);
            }
            joined.append(entry);
        }
        return joined.toString();
    }
}

package testevo.worker;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import testevo.lines.Command;
import testevo.lines.Fields;

/**
 * Compiles one source file and many mutants of it against the classes of its module.
 *
 * <p>Only that file is compiled, in memory, with a fresh compiler task for each mutant and one warm file manager for
 * all. The changed class files of the mutants that compile are written to {@code <output>/<mutant>/<number>}, in the
 * order of the names in the answer; an empty file stands for a class that the mutant no longer has.
 */
final class Mutants implements Command {
    private final FileManagers fileManagers;

    Mutants(FileManagers fileManagers) {
        this.fileManagers = fileManagers;
    }

    @Override
    public JsonObject answer(JsonObject request) throws IOException {
        List<String> options = Fields.texts(request, "options");
        StandardJavaFileManager files = fileManagers.get(Fields.texts(request, "classPath"), options);
        boolean finished = false;
        try {
            Unit unit = new Unit(files, options, Fields.text(request, "path"));
            JsonObject answer = answer(request, unit);
            finished = true;
            return answer;
        } finally {
            fileManagers.done(files, finished);
        }
    }

    private JsonObject answer(JsonObject request, Unit unit) throws IOException {
        byte[] source = Base64.getDecoder().decode(Fields.text(request, "source"));
        Path output = Paths.get(Fields.text(request, "output"));
        Outcome original = unit.compile(source);
        JsonArray mutants = new JsonArray();
        if (original.success) {
            for (JsonElement element : request.getAsJsonArray("mutants")) {
                Outcome mutant = unit.compile(mutated(source, element.getAsJsonObject()));
                JsonObject described = mutant.described();
                if (mutant.success) {
                    Path folder = output.resolve(String.valueOf(mutants.size()));
                    described.add("classes", write(changed(original.classes, mutant.classes), folder));
                }
                mutants.add(described);
            }
        }
        JsonObject answer = new JsonObject();
        answer.add("original", original.described());
        answer.add("mutants", mutants);
        return answer;
    }

    private static byte[] mutated(byte[] source, JsonObject mutant) {
        int start = mutant.get("start").getAsInt();
        int end = mutant.get("end").getAsInt();
        byte[] text = Base64.getDecoder().decode(mutant.get("text").getAsString());
        ByteArrayOutputStream whole = new ByteArrayOutputStream(source.length + text.length);
        whole.write(source, 0, start);
        whole.write(text, 0, text.length);
        whole.write(source, end, source.length - end);
        return whole.toByteArray();
    }

    private static Map<String, byte[]> changed(Map<String, byte[]> original, Map<String, byte[]> mutant) {
        Map<String, byte[]> changed = new TreeMap<>();
        for (Map.Entry<String, byte[]> file : mutant.entrySet()) {
            if (!Arrays.equals(file.getValue(), original.get(file.getKey()))) {
                changed.put(file.getKey(), file.getValue());
            }
        }
        for (String name : original.keySet()) {
            if (!mutant.containsKey(name)) {
                changed.put(name, new byte[0]);
            }
        }
        return changed;
    }

    /** Files with numbers for names: not every file system holds every name that a class may have. */
    private static JsonArray write(Map<String, byte[]> files, Path folder) throws IOException {
        Files.createDirectories(folder);
        JsonArray names = new JsonArray();
        for (Map.Entry<String, byte[]> file : files.entrySet()) {
            Files.write(folder.resolve(String.valueOf(names.size())), file.getValue());
            names.add(file.getKey());
        }
        return names;
    }

    /** How one version of the file compiled. */
    private static final class Outcome {
        final boolean success;
        final String error;
        final Map<String, byte[]> classes;

        Outcome(boolean success, String error, Map<String, byte[]> classes) {
            this.success = success;
            this.error = error;
            this.classes = classes;
        }

        JsonObject described() throws IOException {
            JsonObject described = new JsonObject();
            described.addProperty("success", success);
            described.addProperty("error", error);
            described.addProperty("digest", success ? Digest.of(ClassFolder.of(classes.values())) : null);
            return described;
        }
    }

    /** What all versions of the file share. */
    private final class Unit {
        private final StandardJavaFileManager files;
        private final List<String> options;
        private final Path path;
        private final Charset charset;

        Unit(StandardJavaFileManager files, List<String> options, String path) {
            this.files = files;
            this.options = options;
            this.path = Paths.get(path);
            charset = FileManagers.charset(options);
        }

        Outcome compile(byte[] source) {
            DiagnosticCollector<JavaFileObject> found = new DiagnosticCollector<>();
            InMemoryFiles memory = new InMemoryFiles(files);
            JavaFileObject file = new InMemoryFiles.Source(path.toUri(), new String(source, charset));
            try {
                boolean success = fileManagers
                        .compiler
                        .getTask(null, memory, found, options, null, Collections.singleton(file))
                        .call();
                return new Outcome(success, firstError(found), success ? memory.classes() : new TreeMap<>());
            } catch (RuntimeException | StackOverflowError | AssertionError abnormal) {
                // A compiler that breaks down on a mutant has not compiled it: an external one ends with status 4.
                return new Outcome(false, abnormal.toString(), new TreeMap<>());
            }
        }

        private String firstError(DiagnosticCollector<JavaFileObject> found) {
            for (Diagnostic<? extends JavaFileObject> diagnostic : found.getDiagnostics()) {
                if (diagnostic.getKind() == Diagnostic.Kind.ERROR) {
                    return diagnostic.getMessage(Locale.ENGLISH);
                }
            }
            return null;
        }
    }
}

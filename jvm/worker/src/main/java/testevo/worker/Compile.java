package testevo.worker;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.sun.source.util.JavacTask;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.StandardLocation;
import testevo.lines.Command;
import testevo.lines.Fields;
import testevo.lines.Memory;
import testevo.lines.Refusal;

/**
 * Compiles sources into an output folder with a fresh compiler task.
 *
 * <p>With {@code only}, all sources are read and entered and only the classes of some of them are compiled.
 */
final class Compile implements Command {
    private final FileManagers fileManagers;

    Compile(FileManagers fileManagers) {
        this.fileManagers = fileManagers;
    }

    @Override
    public JsonObject answer(JsonObject request) throws IOException {
        List<String> options = Fields.texts(request, "options");
        StandardJavaFileManager files = fileManagers.get(Fields.texts(request, "classPath"), options);
        DiagnosticCollector<JavaFileObject> found = new DiagnosticCollector<>();
        boolean finished = false;
        try {
            Path output = Paths.get(Fields.text(request, "output"));
            files.setLocation(StandardLocation.CLASS_OUTPUT, Collections.singleton(output.toFile()));
            if (request.has("sourcePath")) {
                files.setLocation(StandardLocation.SOURCE_PATH, folders(Fields.texts(request, "sourcePath")));
            }
            Iterable<? extends JavaFileObject> sources =
                    files.getJavaFileObjectsFromStrings(Fields.texts(request, "sources"));
            JavacTask task = task(files, found, options, sources);
            CompiledFiles compiled = new CompiledFiles(task);
            if (request.has("only")) {
                compiled.keepOnly(files.getJavaFileObjectsFromStrings(Fields.texts(request, "only")));
            }
            task.addTaskListener(compiled);
            boolean success = task.call();
            JsonObject answer = answer(success, found.getDiagnostics());
            answer.add("sources", compiled.describe(success ? output : null));
            answer.addProperty("recycle", Memory.isExhausted());
            finished = true;
            return answer;
        } finally {
            fileManagers.done(files, finished);
        }
    }

    /** @throws Refusal the compiler does not take an option, such as a level that is too new for it */
    private JavacTask task(
            StandardJavaFileManager files,
            DiagnosticCollector<JavaFileObject> found,
            List<String> options,
            Iterable<? extends JavaFileObject> sources) {
        try {
            return (JavacTask) fileManagers.compiler.getTask(null, files, found, options, null, sources);
        } catch (IllegalArgumentException refused) {
            throw new Refusal("javac takes no such option: " + refused.getMessage());
        }
    }

    private static List<File> folders(List<String> names) {
        List<File> folders = new ArrayList<>();
        names.forEach(name -> folders.add(new File(name)));
        return folders;
    }

    private static JsonObject answer(boolean success, List<Diagnostic<? extends JavaFileObject>> found) {
        JsonArray errors = new JsonArray();
        for (Diagnostic<? extends JavaFileObject> diagnostic : found) {
            if (diagnostic.getKind() == Diagnostic.Kind.ERROR) {
                errors.add(describe(diagnostic));
            }
        }
        JsonObject answer = new JsonObject();
        answer.addProperty("success", success);
        answer.add("diagnostics", errors);
        return answer;
    }

    private static JsonObject describe(Diagnostic<? extends JavaFileObject> diagnostic) {
        JsonObject description = new JsonObject();
        JavaFileObject source = diagnostic.getSource();
        description.addProperty("path", source == null ? null : path(source));
        description.addProperty("line", Math.max(0, diagnostic.getLineNumber()));
        description.addProperty("code", diagnostic.getCode());
        description.addProperty("message", diagnostic.getMessage(Locale.ENGLISH));
        return description;
    }

    static String path(JavaFileObject source) {
        return "file".equals(source.toUri().getScheme())
                ? Paths.get(source.toUri()).toString()
                : source.toUri().toString();
    }
}

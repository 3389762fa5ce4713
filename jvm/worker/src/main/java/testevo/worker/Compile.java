package testevo.worker;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import java.io.File;
import java.io.IOException;
import java.nio.file.Paths;
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

/** Compiles sources into an output folder with a fresh compiler task. */
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
            File output = new File(Fields.text(request, "output"));
            files.setLocation(StandardLocation.CLASS_OUTPUT, Collections.singleton(output));
            Iterable<? extends JavaFileObject> sources =
                    files.getJavaFileObjectsFromStrings(Fields.texts(request, "sources"));
            boolean success =
                    fileManagers.compiler.getTask(null, files, found, options, null, sources).call();
            finished = true;
            return answer(success, found.getDiagnostics());
        } finally {
            fileManagers.done(files, finished);
        }
    }

    private static JsonObject answer(boolean success, List<Diagnostic<? extends JavaFileObject>> found) {
        JsonArray errors = new JsonArray();
        int warnings = 0;
        for (Diagnostic<? extends JavaFileObject> diagnostic : found) {
            if (diagnostic.getKind() == Diagnostic.Kind.ERROR) {
                errors.add(describe(diagnostic));
            } else {
                warnings++;
            }
        }
        JsonObject answer = new JsonObject();
        answer.addProperty("success", success);
        answer.add("diagnostics", errors);
        answer.addProperty("warnings", warnings);
        return answer;
    }

    private static JsonObject describe(Diagnostic<? extends JavaFileObject> diagnostic) {
        JsonObject description = new JsonObject();
        JavaFileObject source = diagnostic.getSource();
        description.addProperty("path", source == null ? null : path(source));
        description.addProperty("line", Math.max(0, diagnostic.getLineNumber()));
        description.addProperty("column", Math.max(0, diagnostic.getColumnNumber()));
        description.addProperty("kind", diagnostic.getKind().name());
        description.addProperty("code", diagnostic.getCode());
        description.addProperty("message", diagnostic.getMessage(Locale.ENGLISH));
        return description;
    }

    private static String path(JavaFileObject source) {
        return "file".equals(source.toUri().getScheme())
                ? Paths.get(source.toUri()).toString()
                : source.toUri().toString();
    }
}

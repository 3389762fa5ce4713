package testevo.worker;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TaskEvent;
import com.sun.source.util.TaskListener;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import javax.lang.model.element.Element;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.Modifier;
import javax.lang.model.element.TypeElement;
import javax.lang.model.element.VariableElement;
import javax.tools.JavaFileObject;
import testevo.lines.Fields;

/**
 * Listens to a compilation: which top-level types and which class files come from which source file.
 *
 * <p>Can also keep the compiler from compiling what is not asked for. When all files are read and entered, the compiler
 * has a list of classes to attribute and to generate, and takes them one by one; classes of other files are struck off
 * that list, as the compiler itself does since JDK 9 for {@code -implicit:none}.
 */
final class CompiledFiles implements TaskListener {
    private static final String MODULE_DESCRIPTOR = "module-info";

    private final JavacTask task;
    private List<JavaFileObject> kept;
    private final Map<String, Made> files = new TreeMap<>();
    private final Map<String, String> parameters = new HashMap<>();

    private static final class Made {
        final TreeSet<String> types = new TreeSet<>();
        final TreeSet<String> classes = new TreeSet<>();
    }

    CompiledFiles(JavacTask task) {
        this.task = task;
    }

    void keepOnly(Iterable<? extends JavaFileObject> sources) {
        kept = new ArrayList<>();
        sources.forEach(kept::add);
    }

    @Override
    public void started(TaskEvent event) {}

    @Override
    public void finished(TaskEvent event) {
        if (event.getKind() == TaskEvent.Kind.ENTER) {
            // All files have been entered when the compiler tells of the first.
            if (kept != null && files.isEmpty()) {
                WorkList.retain(task, kept);
            }
            addTypes(event.getCompilationUnit());
        } else if (event.getKind() == TaskEvent.Kind.ANALYZE && event.getTypeElement() != null) {
            addParameters(event.getTypeElement());
        } else if (event.getKind() == TaskEvent.Kind.GENERATE && event.getTypeElement() != null) {
            made(event.getSourceFile()).classes.add(binaryName(event.getTypeElement()));
        }
    }

    private Made made(JavaFileObject source) {
        return files.computeIfAbsent(Compile.path(source), path -> new Made());
    }

    private void addTypes(CompilationUnitTree unit) {
        Made made = made(unit.getSourceFile());
        String prefix = unit.getPackageName() == null ? "" : unit.getPackageName() + ".";
        for (Tree declared : unit.getTypeDecls()) {
            if (declared instanceof ClassTree) {
                made.types.add(prefix + ((ClassTree) declared).getSimpleName());
            }
        }
    }

    /** Names and {@code final} of parameters: the compiler copies them to anonymous classes and bridges elsewhere. */
    private void addParameters(TypeElement type) {
        StringBuilder text = new StringBuilder();
        for (Element member : type.getEnclosedElements()) {
            if (member instanceof TypeElement) {
                addParameters((TypeElement) member);
            } else if (member instanceof ExecutableElement) {
                text.append(member);
                for (VariableElement parameter : ((ExecutableElement) member).getParameters()) {
                    text.append(parameter.getModifiers().contains(Modifier.FINAL) ? " final " : " ");
                    text.append(parameter.getSimpleName());
                }
                text.append('\n');
            }
        }
        parameters.put(binaryName(type), text.toString());
    }

    /** A module's descriptor bears the module's name, and its class file does not. */
    private String binaryName(TypeElement type) {
        if (type.getSimpleName().contentEquals(MODULE_DESCRIPTOR)) {
            return MODULE_DESCRIPTOR;
        }
        return task.getElements().getBinaryName(type).toString();
    }

    /**
     * Per source file its types and its classes, these with the digest of their interface when {@code output} is given,
     * or null for a class that no other file can name.
     */
    JsonArray describe(Path output) throws IOException {
        JsonArray described = new JsonArray();
        for (Map.Entry<String, Made> file : files.entrySet()) {
            JsonObject classes = new JsonObject();
            for (String name : file.getValue().classes) {
                classes.addProperty(name, output == null ? null : digest(output, name));
            }
            JsonObject source = new JsonObject();
            source.addProperty("path", file.getKey());
            source.add("types", Fields.array(file.getValue().types));
            source.add("classes", classes);
            described.add(source);
        }
        return described;
    }

    private String digest(Path output, String name) throws IOException {
        byte[] file = Files.readAllBytes(output.resolve(name.replace('.', '/') + ".class"));
        return Interface.digest(file, parameters.getOrDefault(name, ""));
    }
}

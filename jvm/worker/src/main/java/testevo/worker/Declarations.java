package testevo.worker;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.sun.source.tree.BlockTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.LineMap;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreePath;
import com.sun.source.util.TreePathScanner;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import javax.lang.model.element.Element;
import javax.lang.model.element.TypeElement;
import javax.lang.model.type.TypeKind;
import javax.lang.model.type.TypeMirror;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import testevo.lines.Command;
import testevo.lines.Fields;

/**
 * What the compiler itself says is declared in source files: types and methods with binary names, erased parameter
 * types and lines. Types of methods' bodies (local and anonymous ones) are left out.
 */
final class Declarations implements Command {
    private static final List<String> OPTIONS = Collections.singletonList("-proc:none");

    private final FileManagers fileManagers;

    Declarations(FileManagers fileManagers) {
        this.fileManagers = fileManagers;
    }

    @Override
    public JsonObject answer(JsonObject request) throws IOException {
        StandardJavaFileManager files = fileManagers.get(Fields.texts(request, "classPath"), OPTIONS);
        boolean finished = false;
        try {
            Iterable<? extends JavaFileObject> sources =
                    files.getJavaFileObjectsFromStrings(Fields.texts(request, "sources"));
            DiagnosticCollector<JavaFileObject> ignored = new DiagnosticCollector<>();
            JavacTask task = (JavacTask) fileManagers.compiler.getTask(null, files, ignored, OPTIONS, null, sources);
            JsonObject answer = new JsonObject();
            answer.add("files", describe(task));
            finished = true;
            return answer;
        } finally {
            fileManagers.done(files, finished);
        }
    }

    private static JsonArray describe(JavacTask task) throws IOException {
        // Found before attribution, which adds constructors and accessors that nobody wrote.
        List<Written> units = new ArrayList<>();
        for (CompilationUnitTree unit : task.parse()) {
            units.add(new Written(unit));
        }
        boolean attributed = attribute(task);
        JsonArray described = new JsonArray();
        for (Written unit : units) {
            described.add(new Description(task, unit, attributed).json());
        }
        return described;
    }

    /** Whether types could be attributed; missing classes are no hindrance, errors in the compiler are. */
    private static boolean attribute(JavacTask task) throws IOException {
        try {
            task.analyze();
            return true;
        } catch (RuntimeException | AssertionError | StackOverflowError error) {
            System.err.println("Declarations are read without types: " + error);
            return false;
        }
    }

    /** The member declarations of a file, in order. */
    private static final class Written extends TreePathScanner<Void, Void> {
        final CompilationUnitTree unit;
        final List<TreePath> types = new ArrayList<>();
        final List<TreePath> methods = new ArrayList<>();

        Written(CompilationUnitTree unit) {
            this.unit = unit;
            scan(unit, null);
        }

        @Override
        public Void visitClass(ClassTree tree, Void nothing) {
            types.add(getCurrentPath());
            return super.visitClass(tree, nothing);
        }

        @Override
        public Void visitMethod(MethodTree tree, Void nothing) {
            methods.add(getCurrentPath());
            return null;
        }

        @Override
        public Void visitVariable(VariableTree tree, Void nothing) {
            return null;
        }

        @Override
        public Void visitBlock(BlockTree tree, Void nothing) {
            return null;
        }
    }

    /** One file's declarations as JSON. */
    private static final class Description {
        private final JavacTask task;
        private final Trees trees;
        private final Written written;
        private final boolean attributed;
        private final SourcePositions positions;
        private final LineMap lines;

        Description(JavacTask task, Written written, boolean attributed) {
            this.task = task;
            this.written = written;
            this.attributed = attributed;
            trees = Trees.instance(task);
            positions = trees.getSourcePositions();
            lines = written.unit.getLineMap();
        }

        JsonObject json() {
            JsonArray types = new JsonArray();
            for (TreePath path : written.types) {
                JsonObject type = new JsonObject();
                type.addProperty("name", typeName(path));
                addLines(type, path.getLeaf());
                types.add(type);
            }
            JsonArray methods = new JsonArray();
            for (TreePath path : written.methods) {
                methods.add(method(path));
            }
            JsonObject file = new JsonObject();
            file.addProperty(
                    "path", Paths.get(written.unit.getSourceFile().toUri()).toString());
            file.add("types", types);
            file.add("methods", methods);
            return file;
        }

        private JsonObject method(TreePath path) {
            MethodTree tree = (MethodTree) path.getLeaf();
            JsonArray parameters = new JsonArray();
            for (VariableTree parameter : tree.getParameters()) {
                parameters.add(parameterType(new TreePath(path, parameter), parameter));
            }
            JsonObject method = new JsonObject();
            method.addProperty("type", typeName(path.getParentPath()));
            method.addProperty("name", tree.getName().toString());
            method.add("parameters", parameters);
            addLines(method, tree);
            return method;
        }

        private void addLines(JsonObject declaration, Tree tree) {
            declaration.addProperty("first", lines.getLineNumber(positions.getStartPosition(written.unit, tree)));
            // The end position is one past the last character.
            long end = positions.getEndPosition(written.unit, tree) - 1;
            declaration.addProperty("last", lines.getLineNumber(Math.max(0, end)));
        }

        private String typeName(TreePath path) {
            Element element = attributed ? trees.getElement(path) : null;
            return element instanceof TypeElement
                    ? task.getElements().getBinaryName((TypeElement) element).toString()
                    : writtenTypeName(path);
        }

        private String writtenTypeName(TreePath path) {
            String name = ((ClassTree) path.getLeaf()).getSimpleName().toString();
            TreePath parent = path.getParentPath();
            if (parent.getLeaf() instanceof ClassTree) {
                return writtenTypeName(parent) + "$" + name;
            }
            Tree packageName = written.unit.getPackageName();
            return packageName == null ? name : packageName + "." + name;
        }

        private String parameterType(TreePath path, VariableTree parameter) {
            TypeMirror type = attributed ? trees.getTypeMirror(new TreePath(path, parameter.getType())) : null;
            return type == null || isUnknown(type)
                    ? simpleName(parameter.getType().toString())
                    : simpleName(task.getTypes().erasure(type).toString());
        }

        private static boolean isUnknown(TypeMirror type) {
            TypeMirror element = type;
            while (element.getKind() == TypeKind.ARRAY) {
                element = ((javax.lang.model.type.ArrayType) element).getComponentType();
            }
            return element.getKind() == TypeKind.ERROR || element.getKind() == TypeKind.OTHER;
        }

        /** The last segment without type arguments and annotations; {@code ...} as an array. */
        private static String simpleName(String written) {
            String plain = written.replaceAll("@[\\w.]+(\\([^)]*\\))?\\s*", "");
            while (plain.contains("<")) {
                String shorter = plain.replaceAll("<[^<>]*>", "");
                if (shorter.equals(plain)) {
                    break;
                }
                plain = shorter;
            }
            plain = plain.replace("...", "[]").replaceAll("\\s", "");
            return plain.substring(plain.lastIndexOf('.') + 1);
        }
    }
}

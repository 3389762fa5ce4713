import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreePath;
import com.sun.source.util.Trees;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import javax.lang.model.element.Element;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.TypeElement;
import javax.lang.model.type.ArrayType;
import javax.lang.model.type.DeclaredType;
import javax.lang.model.type.TypeKind;
import javax.lang.model.type.TypeMirror;
import javax.lang.model.util.Types;
import javax.tools.Diagnostic;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * Prints what the compiler itself reads from Java files: the reference for the tests of the package {@code testevo.java}.
 *
 * <p>The only argument names a file with one path a line; an empty line ends a group of files that are compiled
 * together. One line per method:
 * {@code path TAB binary type name TAB name TAB erased parameters TAB first line TAB last line};
 * a file with syntax errors gives {@code path TAB !}. A type that the group does not declare keeps its simple name, or
 * is {@code <any>} when it has type arguments.
 */
public final class JavacDeclarations {
    private final JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    private final StandardJavaFileManager files =
            compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8);
    private final PrintStream out = new PrintStream(System.out, false, StandardCharsets.UTF_8);

    public static void main(String[] arguments) throws Exception {
        JavacDeclarations declarations = new JavacDeclarations();
        List<String> group = new ArrayList<>();
        for (String path : Files.readAllLines(Path.of(arguments[0]), StandardCharsets.UTF_8)) {
            if (!path.isEmpty()) {
                group.add(path);
            } else if (!group.isEmpty()) {
                declarations.print(group);
                group.clear();
            }
        }
        if (!group.isEmpty()) {
            declarations.print(group);
        }
        declarations.out.flush();
    }

    private void print(List<String> group) throws Exception {
        Set<String> broken = new LinkedHashSet<>();
        Iterable<? extends JavaFileObject> sources = files.getJavaFileObjectsFromStrings(group);
        JavacTask task = (JavacTask) compiler.getTask(
                null, files, diagnostic -> {
                    if (diagnostic.getKind() == Diagnostic.Kind.ERROR && diagnostic.getSource() != null) {
                        broken.add(diagnostic.getSource().getName());
                    }
                },
                List.of("-proc:none", "-XDshould-stop.ifError=FLOW"), null, sources);
        Map<MethodTree, String> lines = new LinkedHashMap<>();
        Map<MethodTree, TreePath> paths = new LinkedHashMap<>();
        Trees trees = Trees.instance(task);
        for (CompilationUnitTree unit : task.parse()) {
            for (Tree declaration : unit.getTypeDecls()) {
                collect(new TreePath(new TreePath(unit), declaration), trees, lines, paths);
            }
        }
        if (!broken.isEmpty()) {
            broken.forEach(path -> out.println(path + "\t!"));
            List<String> whole = new ArrayList<>(group);
            whole.removeAll(broken);
            if (!whole.isEmpty()) {
                print(whole);
            }
            return;
        }
        task.analyze();
        for (MethodTree method : paths.keySet()) {
            ExecutableElement element = (ExecutableElement) trees.getElement(paths.get(method));
            String path = paths.get(method).getCompilationUnit().getSourceFile().getName();
            if (element == null) {
                throw new IllegalStateException(path + ": " + method.getName() + " is declared twice in its group");
            }
            String owner = task.getElements().getBinaryName((TypeElement) element.getEnclosingElement()).toString();
            String parameters = element.getParameters().stream()
                    .map(Element::asType).map(type -> erased(type, task.getTypes())).collect(Collectors.joining(","));
            out.println(String.join(
                    "\t", path, owner, element.getSimpleName().toString(), parameters, lines.get(method)));
        }
    }

    /** Lines are taken before the compiler adds what no source shows: default constructors, accessors. */
    private void collect(TreePath path, Trees trees, Map<MethodTree, String> lines, Map<MethodTree, TreePath> paths) {
        if (!(path.getLeaf() instanceof ClassTree)) {
            return;
        }
        CompilationUnitTree unit = path.getCompilationUnit();
        SourcePositions positions = trees.getSourcePositions();
        for (Tree member : ((ClassTree) path.getLeaf()).getMembers()) {
            TreePath inner = new TreePath(path, member);
            if (member instanceof MethodTree) {
                long first = unit.getLineMap().getLineNumber(positions.getStartPosition(unit, member));
                long last = unit.getLineMap().getLineNumber(positions.getEndPosition(unit, member) - 1);
                lines.put((MethodTree) member, first + "\t" + last);
                paths.put((MethodTree) member, inner);
            } else {
                collect(inner, trees, lines, paths);
            }
        }
    }

    private static String erased(TypeMirror type, Types types) {
        TypeMirror erasure = types.erasure(type);
        if (erasure.getKind() == TypeKind.ARRAY) {
            return erased(((ArrayType) erasure).getComponentType(), types) + "[]";
        }
        if (erasure.getKind().isPrimitive()) {
            // Its text would hold annotations of the type.
            return erasure.getKind().name().toLowerCase(Locale.ROOT);
        }
        // Covers types that were not found, too: they keep the name they are written with.
        return erasure instanceof DeclaredType
                ? ((DeclaredType) erasure).asElement().getSimpleName().toString()
                : erasure.toString();
    }
}

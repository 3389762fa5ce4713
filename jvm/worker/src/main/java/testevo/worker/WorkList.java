package testevo.worker;

import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.util.JavacTask;
import java.util.Collection;
import javax.tools.JavaFileObject;

/**
 * The compiler's list of classes that are entered and not yet attributed.
 *
 * <p>The classes of the compiler are called by name, because their package is not part of what a program may be compiled
 * against; the worker's JVM opens it (see {@code testevo/builds/compilation/worker.py}). All that is used of them is
 * there from JDK 8 on.
 */
final class WorkList {
    private WorkList() {}

    /** Strikes off all classes but those of the given files, the same objects that the compiler was given or equal. */
    static void retain(JavacTask task, Collection<? extends JavaFileObject> files) {
        try {
            Object context = task.getClass().getMethod("getContext").invoke(task);
            Class<?> list = Class.forName(
                    "com.sun.tools.javac.comp.Todo", true, task.getClass().getClassLoader());
            // A second list, by file, is only made under another policy than the compiler's own.
            Collection<?> entered = (Collection<?>)
                    list.getMethod("instance", context.getClass()).invoke(null, context);
            entered.removeIf(one -> !files.contains(fileOf(one)));
        } catch (ReflectiveOperationException error) {
            throw unlike(error);
        }
    }

    private static JavaFileObject fileOf(Object entered) {
        try {
            return ((CompilationUnitTree)
                            entered.getClass().getField("toplevel").get(entered))
                    .getSourceFile();
        } catch (ReflectiveOperationException error) {
            throw unlike(error);
        }
    }

    private static IllegalStateException unlike(ReflectiveOperationException error) {
        return new IllegalStateException("this compiler does not let go of classes it has entered", error);
    }
}

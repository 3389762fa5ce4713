package testevo.launcher;

import java.io.File;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.security.CodeSource;
import java.security.cert.Certificate;
import java.util.Collections;
import java.util.Map;

/**
 * Loads the project, its JUnit and the back end, below the platform's loader: no class of the launcher is in sight, and
 * another loader can have other classes. Runs that need neither have everything on the class path of the JVM.
 */
public final class ProjectLoader extends URLClassLoader {
    static {
        registerAsParallelCapable();
    }

    /** Class files that stand for those of the class path, by name; an empty one for a class that is not there. */
    private final Map<String, byte[]> replaced;

    private ProjectLoader(Map<String, byte[]> replaced) {
        super(new URL[0], ClassLoader.getSystemClassLoader().getParent());
        this.replaced = replaced;
    }

    static ProjectLoader over(Request request) throws MalformedURLException {
        return over(request, Collections.<String, byte[]>emptyMap());
    }

    /** A new loader in which some classes are replaced: a mutant. */
    static ProjectLoader over(Request request, Map<String, byte[]> replaced) throws MalformedURLException {
        ProjectLoader loader = new ProjectLoader(replaced);
        for (String entry : request.classPath) {
            loader.addURL(new File(entry).toURI().toURL());
        }
        for (String entry : request.backEndPath) {
            loader.addURL(new File(entry).toURI().toURL());
        }
        return loader;
    }

    boolean hasLoaded(String name) {
        return findLoadedClass(name) != null;
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        byte[] file = replaced.get(name);
        return file == null ? super.findClass(name) : replacement(name, file);
    }

    private Class<?> replacement(String name, byte[] file) throws ClassNotFoundException {
        if (file.length == 0) {
            throw new ClassNotFoundException(name);
        }
        int dot = name.lastIndexOf('.');
        if (dot > 0 && getPackage(name.substring(0, dot)) == null) {
            try {
                definePackage(name.substring(0, dot), null, null, null, null, null, null, null);
            } catch (IllegalArgumentException second) {
                // Another thread was first.
            }
        }
        return defineClass(name, file, 0, file.length, new CodeSource(place(name), (Certificate[]) null));
    }

    /** The class path entry that has the class which is replaced. */
    private URL place(String name) {
        String path = name.replace('.', '/') + ".class";
        URL found = findResource(path);
        try {
            return found == null || !found.getProtocol().equals("file")
                    ? null
                    : new URL(
                            found, found.getPath().substring(0, found.getPath().length() - path.length()));
        } catch (MalformedURLException impossible) {
            return null;
        }
    }
}

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
 * Loads the project, its JUnit and the back end, below the platform's loader: no class of the launcher is in sight.
 *
 * <p>Made by the JVM itself when it is started with {@code -Djava.system.class.loader=testevo.launcher.ProjectLoader}:
 * then {@code ClassLoader.getSystemClassLoader()} finds the project's classes and resources, as it does below
 * Maven, at the price of the archive of class data.
 */
public final class ProjectLoader extends URLClassLoader {
    private static final String OWN_PACKAGE = "testevo.launcher.";

    static {
        registerAsParallelCapable();
    }

    /** The loader of launcher.jar when this one is the system's, which must still start {@link Main}; else null. */
    private final ClassLoader ofLauncher;

    /** Class files that stand for those of the class path, by name; an empty one for a class that is not there. */
    private final Map<String, byte[]> replaced;

    /** Called by the JVM with the loader of {@code -cp}. */
    public ProjectLoader(ClassLoader application) {
        super(new URL[0], application.getParent());
        ofLauncher = application;
        replaced = Collections.emptyMap();
    }

    private ProjectLoader(Map<String, byte[]> replaced) {
        super(new URL[0], ClassLoader.getSystemClassLoader().getParent());
        ofLauncher = null;
        this.replaced = replaced;
    }

    static ClassLoader over(Request request) throws MalformedURLException {
        ClassLoader system = ClassLoader.getSystemClassLoader();
        return fill(system instanceof ProjectLoader
                ? (ProjectLoader) system : new ProjectLoader(Collections.<String, byte[]>emptyMap()), request);
    }

    /** A new loader in which some classes are replaced: a mutant. */
    static ProjectLoader over(Request request, Map<String, byte[]> replaced) throws MalformedURLException {
        return fill(new ProjectLoader(replaced), request);
    }

    private static ProjectLoader fill(ProjectLoader loader, Request request) throws MalformedURLException {
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
        // Only names directly in the package: back ends have packages below it and belong to the project's loader.
        if (ofLauncher != null && name.startsWith(OWN_PACKAGE) && name.indexOf('.', OWN_PACKAGE.length()) < 0) {
            return ofLauncher.loadClass(name);
        }
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
                    ? null : new URL(found, found.getPath().substring(0, found.getPath().length() - path.length()));
        } catch (MalformedURLException impossible) {
            return null;
        }
    }

    /** Agents named on the command line call this to make themselves visible (see java.lang.instrument). */
    @SuppressWarnings("unused")
    private void appendToClassPathForInstrumentation(String path) throws MalformedURLException {
        addURL(new File(path).toURI().toURL());
    }
}

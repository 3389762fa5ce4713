package testevo.launcher;

import java.io.File;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;

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

    /** Called by the JVM with the loader of {@code -cp}. */
    public ProjectLoader(ClassLoader application) {
        super(new URL[0], application.getParent());
        ofLauncher = application;
    }

    private ProjectLoader() {
        super(new URL[0], ClassLoader.getSystemClassLoader().getParent());
        ofLauncher = null;
    }

    static ClassLoader over(Request request) throws MalformedURLException {
        ClassLoader system = ClassLoader.getSystemClassLoader();
        ProjectLoader loader = system instanceof ProjectLoader ? (ProjectLoader) system : new ProjectLoader();
        for (String entry : request.classPath) {
            loader.addURL(new File(entry).toURI().toURL());
        }
        for (String entry : request.backEndPath) {
            loader.addURL(new File(entry).toURI().toURL());
        }
        return loader;
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        // Only names directly in the package: back ends have packages below it and belong to the project's loader.
        if (ofLauncher != null && name.startsWith(OWN_PACKAGE) && name.indexOf('.', OWN_PACKAGE.length()) < 0) {
            return ofLauncher.loadClass(name);
        }
        return super.findClass(name);
    }

    /** Agents named on the command line call this to make themselves visible (see java.lang.instrument). */
    @SuppressWarnings("unused")
    private void appendToClassPathForInstrumentation(String path) throws MalformedURLException {
        addURL(new File(path).toURI().toURL());
    }
}

package testevo.launcher.platform;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * A launcher all of whose requests share one session, as with Surefire since 3.0.0-M6, where the Platform has sessions
 * (since 1.8). A launcher without one opens and closes a session for every request.
 */
final class Session {
    final Launcher launcher;
    private final AutoCloseable session;

    private Session(Launcher launcher, AutoCloseable session) {
        this.launcher = launcher;
        this.session = session;
    }

    static Session open() {
        try {
            Method open = LauncherFactory.class.getMethod("openSession");
            Object session = open.invoke(null);
            Object launcher = open.getReturnType().getMethod("getLauncher").invoke(session);
            return new Session((Launcher) launcher, (AutoCloseable) session);
        } catch (NoSuchMethodException old) {
            return new Session(LauncherFactory.create(), () -> {});
        } catch (IllegalAccessException | InvocationTargetException failure) {
            throw new IllegalStateException("the JUnit Platform opens no session", failure.getCause());
        }
    }

    void close() {
        try {
            session.close();
        } catch (Exception failure) {
            throw new IllegalStateException("the JUnit Platform failed to close its session", failure);
        }
    }
}

package testevo.launcher;

import java.net.URL;

/**
 * Tells events that JUnit sends from events that a test sends by getting hold of a listener.
 *
 * <p>By names of frames, as a {@link Throwable} knows them: it must run on Java 8 and load nothing. Who can name
 * classes like JUnit's and the JDK's can fool it; the seal and the order of events are what the rest has to overcome.
 */
final class Callers {
    private static final int MOST_CAUSES = 20;
    /** Packages of sealed jars: nobody else on the class path can have a class in them. */
    private static final String[] OWN = {
        "testevo.launcher",
        "testevo.launcher.backend",
        "testevo.launcher.junit3",
        "testevo.launcher.junit4",
        "testevo.launcher.platform"
    };

    private static final String[] FRAMEWORK = {"org.junit.", "junit."};
    private static final String[] TRANSPARENT = {"java.util."};
    private static final String[] JDK = {"java.", "javax.", "jdk.", "sun.", "com.sun."};

    private final Thread launcher = Thread.currentThread();
    private final ClassLoader project;

    Callers(ClassLoader project) {
        this.project = project;
    }

    /** Null for an event that comes by the way of a framework, else what is wrong with it. */
    String complaint() {
        StackTraceElement[] frames = new Throwable().getStackTrace();
        int at = 0;
        while (at < frames.length && isOwn(frames[at].getClassName())) {
            at++;
        }
        if (at == frames.length) {
            return null; // Straight from the launcher: a selection that was not found, or the end.
        }
        while (at < frames.length && startsWithOne(frames[at], TRANSPARENT)) {
            at++;
        }
        if (at == frames.length || !startsWithOne(frames[at], FRAMEWORK)) {
            return "a listener was called by " + (at == frames.length ? "nobody" : frames[at].getClassName());
        }
        boolean elsewhere = Thread.currentThread() != launcher;
        for (int i = at; i < frames.length; i++) {
            boolean reflected = i + 1 < frames.length && isReflection(frames[i + 1]);
            // A runner of the project may send events, a method that a framework called by reflection may not.
            if ((elsewhere || reflected) && isOfProject(frames[i])) {
                return "JUnit was led to send an event by " + frames[i].getClassName();
            }
        }
        return null;
    }

    /** Null when the method that asks was called by the launcher itself, else who called it. */
    static String foreignCaller() {
        StackTraceElement[] frames = new Throwable().getStackTrace();
        String caller = frames.length > 2 ? frames[2].getClassName() : "nobody";
        return isOwn(caller) ? null : caller;
    }

    /** Null when {@code Main} itself calls. */
    String complaintOfEnd() {
        StackTraceElement[] frames = new Throwable().getStackTrace();
        for (StackTraceElement frame : frames) {
            if (!isOwn(frame.getClassName())) {
                return "the end was announced by " + frame.getClassName();
            }
        }
        return Thread.currentThread() == launcher ? null : "the end was announced by another thread";
    }

    /** Whether code of the project had a hand in a failure; then it is not a failure of the launcher. */
    boolean tookPartIn(Throwable failure) {
        int depth = 0;
        for (Throwable at = failure; at != null && depth < MOST_CAUSES; at = at.getCause(), depth++) {
            for (StackTraceElement frame : at.getStackTrace()) {
                if (isOfProject(frame)) {
                    return true;
                }
            }
        }
        return false;
    }

    private static boolean isReflection(StackTraceElement frame) {
        String name = frame.getClassName();
        return name.startsWith("jdk.internal.reflect.")
                || name.startsWith("sun.reflect.")
                || name.startsWith("java.lang.reflect.")
                || name.startsWith("java.lang.invoke.");
    }

    /** Looked up only for frames that would be wrong, so that its cost is nobody's. */
    private boolean isOfProject(StackTraceElement frame) {
        String name = frame.getClassName();
        if (isOwn(name) || startsWithOne(frame, FRAMEWORK) || startsWithOne(frame, JDK)) {
            return false;
        }
        URL place = project.getResource(name.replace('.', '/') + ".class");
        return place == null || place.getProtocol().equals("file");
    }

    private static boolean isOwn(String type) {
        int dot = type.lastIndexOf('.');
        for (String own : OWN) {
            if (dot == own.length() && type.startsWith(own)) {
                return true;
            }
        }
        return false;
    }

    private static boolean startsWithOne(StackTraceElement frame, String[] prefixes) {
        for (String prefix : prefixes) {
            if (frame.getClassName().startsWith(prefix)) {
                return true;
            }
        }
        return false;
    }
}

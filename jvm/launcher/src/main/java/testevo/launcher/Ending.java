package testevo.launcher;

import java.lang.reflect.Constructor;
import java.lang.reflect.Method;

/** Ends the JVM whatever threads, shutdown hooks or security managers the tests have left in it. */
final class Ending {
    /** Long enough for a coverage agent to write its file in its shutdown hook, short against a hung one. */
    private static final long HOOKS_MILLIS = 10_000;

    private Object kill;
    private Method raise;

    /** Looks up the last resort now: a security manager installed by a test may forbid it later. */
    Ending() {
        if (!securityManagersExist()) {
            return;
        }
        try {
            Class<?> signal = Class.forName("sun.misc.Signal");
            Constructor<?> constructor = signal.getConstructor(String.class);
            kill = constructor.newInstance("KILL");
            raise = signal.getMethod("raise", signal);
        } catch (ReflectiveOperationException none) {
            raise = null; // Another vendor's JVM: then the exit below must do.
        }
    }

    private static boolean securityManagersExist() {
        String version = System.getProperty("java.specification.version", "");
        return version.startsWith("1.") || version.compareTo("24") < 0;
    }

    void end(int status) {
        watch(status);
        try {
            System.exit(status);
        } catch (Throwable refused) {
            withoutManager(status);
        }
    }

    private void withoutManager(int status) {
        try {
            System.class
                    .getMethod("setSecurityManager", Class.forName("java.lang.SecurityManager"))
                    .invoke(null, new Object[] {null});
            System.exit(status);
        } catch (Throwable refused) {
            try {
                Runtime.getRuntime().halt(status);
            } catch (Throwable refusedAgain) {
                killed();
            }
        }
    }

    /** The verdicts are written; a JVM that may not exit is killed by its own signal. */
    private void killed() {
        try {
            if (raise != null) {
                raise.invoke(null, kill);
            }
        } catch (ReflectiveOperationException failed) {
            Main.STANDARD_ERROR.println("launcher: the tests forbid the JVM to end: " + failed);
        }
    }

    private static void watch(final int status) {
        try {
            Thread watchdog = new Thread("launcher-ending") {
                @Override
                public void run() {
                    try {
                        Thread.sleep(HOOKS_MILLIS);
                    } catch (InterruptedException early) {
                        // Somebody interrupts all threads: no reason to wait longer.
                    }
                    Runtime.getRuntime().halt(status);
                }
            };
            watchdog.setDaemon(true);
            watchdog.start();
        } catch (Throwable refused) {
            Main.STANDARD_ERROR.println("launcher: no thread to watch the shutdown hooks: " + refused);
        }
    }
}

package testevo.launcher;

import java.lang.reflect.Method;
import java.util.Map;

/** Tells the call probe, if the agent is in this JVM, when a test starts and ends. */
final class ProbeHook {
    private final Method started;
    private final Method finished;
    private final Method end;

    ProbeHook() throws ReflectiveOperationException {
        Class<?> probe = Class.forName("testevo.probe.Hook", true, ClassLoader.getSystemClassLoader());
        started = probe.getMethod("testStarted", String.class, String.class, String[].class);
        finished = probe.getMethod("testFinished");
        end = probe.getMethod("end");
    }

    void started(Map<String, Object> test) {
        call(started, test.get("class"), test.get("method"), test.get("parameters"));
    }

    void finished(Map<String, Object> test) {
        call(finished);
    }

    void end() {
        call(end);
    }

    private static void call(Method method, Object... arguments) {
        try {
            method.invoke(null, arguments);
        } catch (ReflectiveOperationException error) {
            throw new IllegalStateException("the probe cannot be told about a test", error);
        }
    }
}

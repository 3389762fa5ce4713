package testevo.maven.record;

import java.lang.reflect.Proxy;
import org.apache.maven.plugin.logging.Log;

/** The command line of javac, which the compiler plugin tells its log, of every version, where debug output is on. */
final class CommandLine {
    private static final String HEADING = "Command line options:";

    private boolean follows;
    private String text;

    /** Words with spaces between; null when the plugin has not called javac. */
    String text() {
        return text;
    }

    /** A log that passes on all but debug output, which is on and goes nowhere else. */
    Log heardIn(Log log) {
        Class<?>[] type = {Log.class};
        return (Log) Proxy.newProxyInstance(Log.class.getClassLoader(), type, (proxy, method, arguments) -> {
            if (method.getName().equals("isDebugEnabled")) {
                return true;
            }
            if (method.getName().equals("debug")) {
                hear(String.valueOf(arguments[0]));
                return null;
            }
            return method.invoke(log, arguments);
        });
    }

    private void hear(String message) {
        if (follows) {
            text = message;
        }
        follows = message.equals(HEADING);
    }
}

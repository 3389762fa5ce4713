package testevo.probe;

import java.io.File;
import java.io.IOException;
import java.lang.instrument.Instrumentation;
import java.net.URISyntaxException;
import java.util.jar.JarFile;

/** Entry point: {@code -javaagent:probe.jar=<configuration file>}. */
public final class Agent {
    private Agent() {}

    /** Touches no other class of the probe before the bootstrap loader can find it: each must exist once only. */
    public static void premain(String configurationFile, Instrumentation instrumentation)
            throws IOException, URISyntaxException {
        File jar = new File(
                Agent.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        instrumentation.appendToBootstrapClassLoaderSearch(new JarFile(jar));
        Installation.install(configurationFile, instrumentation);
    }
}

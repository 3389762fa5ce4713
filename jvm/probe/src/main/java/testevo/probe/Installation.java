package testevo.probe;

import java.io.IOException;
import java.lang.instrument.Instrumentation;

/** Puts the probe to work. */
public final class Installation {
    private Installation() {}

    public static void install(String configurationFile, Instrumentation instrumentation) throws IOException {
        Configuration configuration = Configuration.read(configurationFile);
        final Report report = new Report(configuration.output);
        Hook.reportTo(report);
        Transformer transformer = new Transformer(configuration, report);
        transformer.warmUp();
        instrumentation.addTransformer(transformer, false);
        Runtime.getRuntime().addShutdownHook(new Thread("probe-report") {
            @Override
            public void run() {
                // A test that ends the JVM must not take the calls of the others with it.
                Hook.end();
            }
        });
    }
}

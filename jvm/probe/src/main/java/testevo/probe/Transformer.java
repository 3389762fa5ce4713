package testevo.probe;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.lang.instrument.ClassFileTransformer;
import java.net.URL;
import java.nio.file.Files;
import java.security.CodeSource;
import java.security.ProtectionDomain;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodTooLargeException;

/** Instruments classes that come from the configured folders and jars. */
final class Transformer implements ClassFileTransformer {
    private final Configuration configuration;
    private final Report report;

    Transformer(Configuration configuration, Report report) {
        this.configuration = configuration;
        this.report = report;
    }

    /** Loads what instrumenting needs before it is needed, in the middle of loading another class. */
    void warmUp() throws IOException {
        try (InputStream own = ClassLoader.getSystemResourceAsStream("testevo/probe/Hook.class")) {
            byte[] bytes = new byte[1 << 16];
            int length = 0;
            for (int read = own.read(bytes); read > 0; read = own.read(bytes, length, bytes.length - length)) {
                length += read;
            }
            instrument(Arrays.copyOf(bytes, length), false, new HashSet<String>());
            new Frames().push(0);
        }
    }

    @Override
    public byte[] transform(
            ClassLoader loader, String name, Class<?> redefined, ProtectionDomain domain, byte[] bytes) {
        try {
            if (redefined != null || loader == null || name == null) {
                return null;
            }
            CodeSource source = domain == null ? null : domain.getCodeSource();
            URL location = source == null ? null : source.getLocation();
            File other = configuration.otherRoot(location, name);
            if (other != null) {
                return ofOtherLoader(bytes, other, name);
            }
            Boolean tests = location == null ? null : configuration.holdsTests(location);
            return tests == null || isMade(loader, name) ? null : instrumentWhatFits(bytes, tests, name);
        } catch (Throwable failure) {
            // The JVM would swallow it, and calls would be missing without a word.
            String type = String.valueOf(name).replace('/', '.');
            report.uninstrumented(type, type, failure.toString());
            return null;
        }
    }

    /** A mock or proxy made at run time in the name of a production class: its frames would hide real direct calls. */
    private static boolean isMade(ClassLoader loader, String name) {
        return loader.getResource(name + ".class") == null;
    }

    /** A class that a loader of the project has read itself: with the bytes of the root, or else nobody knows what it is. */
    private byte[] ofOtherLoader(byte[] bytes, File root, String name) throws IOException {
        if (Arrays.equals(bytes, Files.readAllBytes(new File(root, name + ".class").toPath()))) {
            return instrumentWhatFits(bytes, configuration.holdsTests(root), name);
        }
        String type = name.replace('/', '.');
        report.uninstrumented(type, type, "a class loader of the project has changed it, or has another version of it");
        return null;
    }

    /** Leaves out methods that would outgrow the JVM's limit of 64 kB, one by one. */
    private byte[] instrumentWhatFits(byte[] bytes, boolean tests, String name) {
        Set<String> leftOut = new HashSet<>();
        while (true) {
            try {
                return instrument(bytes, tests, leftOut);
            } catch (MethodTooLargeException large) {
                if (!leftOut.add(large.getMethodName() + large.getDescriptor())) {
                    throw large;
                }
                report.uninstrumented(
                        name.replace('/', '.'),
                        large.getMethodName() + large.getDescriptor(),
                        "the method is too large");
            }
        }
    }

    private static byte[] instrument(byte[] bytes, boolean tests, Set<String> leftOut) {
        ClassReader reader = new ClassReader(bytes);
        ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
        reader.accept(new ClassInstrumenter(writer, tests, leftOut), ClassReader.EXPAND_FRAMES);
        return writer.toByteArray();
    }
}

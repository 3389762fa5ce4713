package testevo.desugar;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

/** The files of a jar, in its order. */
final class Jar {
    private static final String CLASS = ".class";
    private static final String VERSIONS = "META-INF/versions/";
    private static final Pattern SIGNATURE = Pattern.compile("META-INF/[^/]*\\.(SF|RSA|DSA|EC)");
    private static final long TIME = 1_700_000_000_000L;

    private final Map<String, byte[]> files = new LinkedHashMap<>();

    Jar(Path path) throws IOException {
        try (ZipFile zip = new ZipFile(path.toFile())) {
            for (ZipEntry entry : Collections.list(zip.entries())) {
                try (InputStream stream = zip.getInputStream(entry)) {
                    files.put(entry.getName(), all(stream));
                }
            }
        }
    }

    /** The same with a class in place of each lambda; signed jars, and those with unreadable classes, as they are. */
    Map<String, byte[]> withoutLambdas() {
        for (String name : files.keySet()) {
            if (SIGNATURE.matcher(name).matches()) {
                return files;
            }
        }
        Map<String, byte[]> desugared = new LinkedHashMap<>();
        try {
            Declarations declarations = new Declarations();
            files.forEach((name, content) -> {
                if (isClass(name)) {
                    declarations.add(content);
                }
            });
            files.forEach((name, content) -> {
                desugared.put(name, content);
                if (isClass(name)) {
                    new ClassWithLambdas(content, declarations).desugared()
                            .forEach((type, made) -> desugared.put(type + CLASS, made));
                }
            });
        } catch (RuntimeException unreadable) { // all that ASM throws at what is no class file, or one of a later Java
            return files;
        }
        return desugared;
    }

    /** Equal bytes for equal files, whatever the JVM: nothing is compressed. */
    static void write(Map<String, byte[]> files, Path to) throws IOException {
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(to))) {
            zip.setMethod(ZipOutputStream.STORED);
            for (Map.Entry<String, byte[]> file : files.entrySet()) {
                CRC32 check = new CRC32();
                check.update(file.getValue());
                ZipEntry entry = new ZipEntry(file.getKey());
                entry.setTime(TIME);
                entry.setSize(file.getValue().length);
                entry.setCrc(check.getValue());
                zip.putNextEntry(entry);
                zip.write(file.getValue());
                zip.closeEntry();
            }
        }
    }

    /** Classes for a range of Java versions are few, and stay. */
    private static boolean isClass(String name) {
        return name.endsWith(CLASS) && !name.startsWith(VERSIONS) && !name.endsWith("module-info.class");
    }

    private static byte[] all(InputStream stream) throws IOException {
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        byte[] buffer = new byte[1 << 16];
        for (int count = stream.read(buffer); count >= 0; count = stream.read(buffer)) {
            content.write(buffer, 0, count);
        }
        return content.toByteArray();
    }
}

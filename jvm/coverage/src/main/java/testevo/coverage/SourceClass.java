package testevo.coverage;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.Opcodes;
import testevo.lines.Fields;

/** A class file of a source file, which it was compiled from by its own word. */
final class SourceClass {
    /** The internal name. */
    final String name;

    final byte[] bytes;
    /** {@code a/b/C.java}. */
    final String source;

    private SourceClass(String name, byte[] bytes, String source) {
        this.name = name;
        this.bytes = bytes;
        this.source = source;
    }

    /** Sorted by name; a request lists {@code sources} with {@code folder}, {@code package} and {@code file}. */
    static List<SourceClass> of(JsonObject request) throws IOException {
        Map<String, SourceClass> classes = new TreeMap<>();
        for (JsonElement element : request.getAsJsonArray("sources")) {
            JsonObject source = element.getAsJsonObject();
            Path folder = Paths.get(Fields.text(source, "folder"));
            String place = Fields.text(source, "package");
            String name = Fields.text(source, "file");
            for (Path file : classFiles(folder.resolve(place))) {
                byte[] bytes = Files.readAllBytes(file);
                ClassReader reader = reader(bytes);
                if (name.equals(sourceFile(reader))) {
                    String whole = place.isEmpty() ? name : place + "/" + name;
                    classes.put(reader.getClassName(), new SourceClass(reader.getClassName(), bytes, whole));
                }
            }
        }
        return new ArrayList<>(classes.values());
    }

    private static List<Path> classFiles(Path folder) throws IOException {
        List<Path> files = new ArrayList<>();
        if (Files.isDirectory(folder)) {
            try (DirectoryStream<Path> found = Files.newDirectoryStream(folder, "*.class")) {
                for (Path file : found) {
                    files.add(file);
                }
            }
        }
        return files;
    }

    /** A reader that does not care how new the class file is: only names are read. */
    private static ClassReader reader(byte[] bytes) {
        byte[] copy = bytes.clone();
        copy[6] = 0;
        copy[7] = Opcodes.V1_8;
        return new ClassReader(copy);
    }

    private static String sourceFile(ClassReader reader) {
        String[] name = {null};
        ClassVisitor visitor = new ClassVisitor(Opcodes.ASM9) {
            @Override
            public void visitSource(String source, String debug) {
                name[0] = source;
            }
        };
        reader.accept(visitor, ClassReader.SKIP_CODE | ClassReader.SKIP_FRAMES);
        return name[0];
    }
}

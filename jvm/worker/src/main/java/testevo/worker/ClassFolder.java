package testevo.worker;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.commons.Remapper;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.InnerClassNode;
import org.objectweb.asm.tree.MethodNode;

/** The classes of an output folder, and names for its local classes that do not depend on their numbers. */
final class ClassFolder extends Remapper {
    private final Map<String, ClassNode> classes = new TreeMap<>();
    private final Map<String, String> stableNames = new TreeMap<>();

    static ClassFolder read(Path folder) throws IOException {
        ClassFolder classes = new ClassFolder();
        for (Path file : classFiles(folder)) {
            ClassNode node =
                    read(Files.readAllBytes(file), folder.relativize(file).toString());
            classes.classes.put(node.name, node);
        }
        return classes;
    }

    /** The same for class files in memory. */
    static ClassFolder of(Iterable<byte[]> files) throws IOException {
        ClassFolder classes = new ClassFolder();
        for (byte[] file : files) {
            ClassNode node = read(file, "a class file in memory");
            classes.classes.put(node.name, node);
        }
        return classes;
    }

    private ClassFolder() {}

    /** All classes, ordered by name. */
    Collection<ClassNode> all() {
        return Collections.unmodifiableCollection(classes.values());
    }

    /** The class of that internal name, null when it is not of this folder. */
    ClassNode get(String internalName) {
        return classes.get(internalName);
    }

    MethodNode method(String owner, String name, String descriptor) {
        ClassNode node = classes.get(owner);
        if (node != null) {
            for (MethodNode method : node.methods) {
                if (method.name.equals(name) && method.desc.equals(descriptor)) {
                    return method;
                }
            }
        }
        return null;
    }

    /** Whether a class of this folder is declared inside a method or an initialiser. */
    boolean isLocal(String internalName) {
        return !map(internalName).equals(internalName);
    }

    /** An anonymous class is called after its enclosing and its super class, {@code Outer$~java/lang/Runnable}. */
    @Override
    public String map(String internalName) {
        String known = stableNames.get(internalName);
        if (known == null) {
            // Set first: broken class files may name themselves as their enclosing class.
            stableNames.put(internalName, internalName);
            known = stableName(internalName);
            stableNames.put(internalName, known);
        }
        return known;
    }

    private String stableName(String internalName) {
        ClassNode node = classes.get(internalName);
        if (node == null) {
            return internalName;
        }
        InnerClassNode declaration = declaration(node);
        if (node.outerClass != null) {
            boolean anonymous = declaration == null || declaration.innerName == null;
            String kind = node.interfaces.isEmpty() ? node.superName : node.interfaces.get(0);
            return map(node.outerClass) + "$~" + (anonymous ? map(kind) : declaration.innerName);
        }
        boolean member = declaration != null && declaration.outerName != null && declaration.innerName != null;
        return member ? map(declaration.outerName) + "$" + declaration.innerName : internalName;
    }

    private static InnerClassNode declaration(ClassNode node) {
        for (InnerClassNode declaration : node.innerClasses) {
            if (declaration.name.equals(node.name)) {
                return declaration;
            }
        }
        return null;
    }

    private static List<Path> classFiles(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            return new ArrayList<>();
        }
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> isClass(folder, file)).collect(Collectors.toList());
        }
    }

    /** Whether a file of an output folder is one of its classes; versions for later JVMs and descriptors are not. */
    static boolean isClass(Path folder, Path file) {
        String name = file.getFileName().toString();
        return name.endsWith(".class")
                && !name.equals("module-info.class")
                && !folder.relativize(file).startsWith("META-INF");
    }

    static ClassNode read(byte[] file, String name) throws IOException {
        ClassNode node = new ClassNode();
        try {
            new ClassReader(file).accept(node, ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
        } catch (RuntimeException error) {
            throw new IOException(name + " is no class file that can be read", error);
        }
        return node;
    }
}

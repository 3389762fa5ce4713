package testevo.worker;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.InnerClassNode;

/**
 * What the compilation of another file can read of a class: all of it but the code of its methods and what the compiler
 * made up. Why that is all: docs/performance.md.
 */
final class Interface {
    private Interface() {}

    /** The digest, over {@code further} text too; null for a class that no other file can name. */
    static String digest(byte[] file, String further) {
        ClassNode node = new ClassNode();
        new ClassReader(file).accept(node, ClassReader.SKIP_CODE);
        if (!canBeNamed(node)) {
            return null;
        }
        node.fields.removeIf(field -> isMadeUp(field.access));
        node.methods.removeIf(method -> isMadeUp(method.access));
        keepMemberTypes(node);
        node.attrs = null;
        node.nestMembers = null;
        node.sourceFile = null;
        node.sourceDebug = null;
        ClassWriter writer = new ClassWriter(0);
        node.accept(writer);
        return sha256(writer.toByteArray(), further.getBytes(StandardCharsets.UTF_8));
    }

    private static String sha256(byte[]... parts) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            for (byte[] part : parts) {
                digest.update(part);
            }
            return String.format("%064x", new BigInteger(1, digest.digest()));
        } catch (NoSuchAlgorithmException error) {
            throw new IllegalStateException("every Java runtime has SHA-256", error);
        }
    }

    /** Bridges are read from class files like methods that somebody wrote. */
    private static boolean isMadeUp(int access) {
        return (access & Opcodes.ACC_SYNTHETIC) != 0 && (access & Opcodes.ACC_BRIDGE) == 0;
    }

    /** Whether it is neither made up nor declared in a method or an initialiser, nor a member of such a class. */
    private static boolean canBeNamed(ClassNode node) {
        if (node.name.endsWith("/package-info")) {
            return true;
        }
        Map<String, InnerClassNode> declarations = new HashMap<>();
        node.innerClasses.forEach(inner -> declarations.put(inner.name, inner));
        InnerClassNode declaration = declarations.get(node.name);
        while (declaration != null && declaration.outerName != null && declaration.innerName != null) {
            declaration = declarations.get(declaration.outerName);
        }
        return declaration == null && (node.access & Opcodes.ACC_SYNTHETIC) == 0;
    }

    /** Which other classes are listed, and in what order, depends on the code. */
    private static void keepMemberTypes(ClassNode node) {
        node.innerClasses.removeIf(inner -> !inner.name.equals(node.name) && !node.name.equals(inner.outerName));
        node.innerClasses.sort(Comparator.comparing(inner -> inner.name));
    }
}

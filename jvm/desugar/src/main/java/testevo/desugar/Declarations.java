package testevo.desugar;

import java.util.HashMap;
import java.util.Map;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.MethodNode;

/** What the classes of a jar declare, to know which methods a class beside another one may call. */
final class Declarations {
    private final Map<String, ClassNode> classes = new HashMap<>();

    void add(byte[] file) {
        ClassNode node = new ClassNode();
        new ClassReader(file).accept(node, ClassReader.SKIP_CODE | ClassReader.SKIP_DEBUG);
        classes.put(node.name, node);
    }

    /**
     * Whether a class of the package of {@code host} may call what {@code host} may refer to.
     *
     * <p>What javac refers to in other packages is public, as it makes lambdas of references to protected methods.
     */
    boolean reach(String host, Handle method) {
        if (method.getTag() == Opcodes.H_INVOKESPECIAL) {
            return false;
        }
        String owner = method.getOwner();
        ClassNode at = classes.get(owner);
        while (at != null) {
            for (MethodNode declared : at.methods) {
                if (declared.name.equals(method.getName()) && declared.desc.equals(method.getDesc())) {
                    boolean isPublic = (declared.access & Opcodes.ACC_PUBLIC) != 0;
                    boolean isPrivate = (declared.access & Opcodes.ACC_PRIVATE) != 0;
                    return isPublic || !isPrivate && packageOf(at.name).equals(packageOf(host));
                }
            }
            owner = at.superName;
            at = classes.get(owner);
        }
        return owner != null && !packageOf(owner).equals(packageOf(host));
    }

    private static String packageOf(String name) {
        return name.substring(0, name.lastIndexOf('/') + 1);
    }
}

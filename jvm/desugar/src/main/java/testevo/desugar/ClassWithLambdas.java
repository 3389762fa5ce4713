package testevo.desugar;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.ConstantDynamic;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.commons.GeneratorAdapter;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;

/**
 * A class whose lambdas become classes beside it.
 *
 * <p>Bodies that javac made of lambdas are private. They become static methods of the package, which take the object
 * first where they had one: so they are still called without looking for an override, and named the same in a trace.
 * Other private methods stay, and are called by a method of the package.
 */
final class ClassWithLambdas {
    /** Part of the names of what is made; the launcher leaves it out of traces, as the JDK does its own. */
    static final String MARK = "$$PlainLambda";
    private static final String BODY = "lambda$";

    private final ClassNode node = new ClassNode();
    private final Declarations declarations;
    /** The private methods. */
    private final Map<String, MethodNode> closed = new HashMap<>();
    /** What is referred to by more than lambdas that can be replaced. */
    private final Set<String> others = new HashSet<>();
    private final Map<String, Handle> opened = new HashMap<>();

    ClassWithLambdas(byte[] file, Declarations declarations) {
        new ClassReader(file).accept(node, 0);
        this.declarations = declarations;
        for (MethodNode method : node.methods) {
            if ((method.access & Opcodes.ACC_PRIVATE) != 0) {
                closed.put(method.name + method.desc, method);
            }
        }
    }

    /** Class files by internal name: those of the lambdas, and the class itself; none when nothing is to be changed. */
    Map<String, byte[]> desugared() {
        Map<String, byte[]> files = new LinkedHashMap<>();
        for (Lambda lambda : candidates()) {
            Handle body = lambda.body();
            if (isOwnPrivate(body)) {
                lambda.call(opened.computeIfAbsent(key(body), key -> isBody(body) ? open(body) : bridge(body)));
            }
            LambdaClass made = new LambdaClass(node.name + MARK + files.size(), lambda);
            files.put(made.name, made.file(node.version));
            lambda.becomes(made);
        }
        if (!files.isEmpty()) {
            ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
            node.accept(writer);
            files.put(node.name, writer.toByteArray());
        }
        return files;
    }

    private List<Lambda> candidates() {
        List<Lambda> found = new ArrayList<>();
        for (MethodNode method : node.methods) {
            for (AbstractInsnNode instruction : method.instructions) {
                Lambda lambda = null;
                if (instruction instanceof InvokeDynamicInsnNode) {
                    lambda = Lambda.of(method, (InvokeDynamicInsnNode) instruction);
                }
                if (lambda != null && (isOwnPrivate(lambda.body()) || declarations.reach(node.name, lambda.body()))) {
                    found.add(lambda);
                } else {
                    noteReferences(instruction);
                }
            }
        }
        return found;
    }

    private void noteReferences(AbstractInsnNode instruction) {
        if (instruction instanceof InvokeDynamicInsnNode) {
            note(((InvokeDynamicInsnNode) instruction).bsmArgs);
        } else if (instruction instanceof LdcInsnNode) {
            note(((LdcInsnNode) instruction).cst);
        } else if (instruction instanceof MethodInsnNode) {
            MethodInsnNode call = (MethodInsnNode) instruction;
            others.add(call.name + call.desc);
        }
    }

    private void note(Object... constants) {
        for (Object constant : constants) {
            if (constant instanceof Handle) {
                others.add(key((Handle) constant));
            } else if (constant instanceof ConstantDynamic) {
                ConstantDynamic computed = (ConstantDynamic) constant;
                for (int i = 0; i < computed.getBootstrapMethodArgumentCount(); i++) {
                    note(computed.getBootstrapMethodArgument(i));
                }
            }
        }
    }

    private boolean isOwnPrivate(Handle handle) {
        return handle.getOwner().equals(node.name) && closed.containsKey(key(handle));
    }

    /** Whether nothing but lambdas that can be replaced refers to it. */
    private boolean isBody(Handle handle) {
        int access = closed.get(key(handle)).access;
        return (access & Opcodes.ACC_SYNTHETIC) != 0 && handle.getName().startsWith(BODY)
                && !others.contains(key(handle));
    }

    private static String key(Handle handle) {
        return handle.getName() + handle.getDesc();
    }

    private Handle open(Handle body) {
        MethodNode method = closed.get(key(body));
        if ((method.access & Opcodes.ACC_STATIC) == 0) {
            method.desc = "(L" + node.name + ";" + method.desc.substring(1);
            method.signature = null;
            method.parameters = null;
        }
        method.access = method.access & ~Opcodes.ACC_PRIVATE | access();
        return called(method);
    }

    /** A method of the package that calls a private one, which others call too. */
    private Handle bridge(Handle body) {
        Type[] taken = Lambda.taken(body);
        String name = "call" + MARK + opened.size();
        String desc = Type.getMethodDescriptor(Lambda.answered(body), taken);
        MethodNode method = new MethodNode(access() | Opcodes.ACC_SYNTHETIC, name, desc, null, null);
        GeneratorAdapter code = new GeneratorAdapter(method, method.access, name, desc);
        LambdaClass.writeCall(code, body, code::loadArgs);
        code.returnValue();
        code.endMethod();
        node.methods.add(method);
        return called(method);
    }

    /** Methods of interfaces are public or private. */
    private int access() {
        return Opcodes.ACC_STATIC | (isInterface() ? Opcodes.ACC_PUBLIC : 0);
    }

    private Handle called(MethodNode method) {
        return new Handle(Opcodes.H_INVOKESTATIC, node.name, method.name, method.desc, isInterface());
    }

    private boolean isInterface() {
        return (node.access & Opcodes.ACC_INTERFACE) != 0;
    }
}

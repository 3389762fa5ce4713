package testevo.probe;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.objectweb.asm.Handle;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.AnnotationNode;
import org.objectweb.asm.tree.FrameNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TryCatchBlockNode;
import org.objectweb.asm.tree.VarInsnNode;

/**
 * Wraps a method in enter and exit.
 *
 * <p>One new local variable after all others keeps the position of the frame, so no variable moves. Frames of the
 * verifier are extended by it instead of computed anew, which would load classes.
 */
final class MethodInstrumenter extends MethodNode {
    private static final String CALLS = "testevo/probe/Calls";
    private static final Set<String> FIXTURES = new HashSet<>(Arrays.asList(
            "Lorg/junit/Before;",
            "Lorg/junit/After;",
            "Lorg/junit/BeforeClass;",
            "Lorg/junit/AfterClass;",
            "Lorg/junit/jupiter/api/BeforeEach;",
            "Lorg/junit/jupiter/api/AfterEach;",
            "Lorg/junit/jupiter/api/BeforeAll;",
            "Lorg/junit/jupiter/api/AfterAll;"));
    private static final Set<String> FIXTURES_OF_JUNIT_3 = new HashSet<>(Arrays.asList("setUp()V", "tearDown()V"));

    private final MethodVisitor next;
    private final boolean hasFrames;
    private final String type;
    private final String superType;
    private final Kind kind;
    private int position;

    MethodInstrumenter(
            MethodVisitor next,
            boolean hasFrames,
            String type,
            String superType,
            Kind kind,
            int access,
            String name,
            String descriptor,
            String signature,
            String[] exceptions) {
        super(Opcodes.ASM9, access, name, descriptor, signature, exceptions);
        this.next = next;
        this.hasFrames = hasFrames;
        this.type = type;
        this.superType = superType;
        this.kind = kind;
    }

    @Override
    public void visitEnd() {
        super.visitEnd();
        if (instructions.size() > 0) {
            boolean variableArity = (access & Opcodes.ACC_VARARGS) != 0;
            int number = Registry.add(
                    new MethodInfo(type, superType, name, desc, signature, variableArity, kind, isFixture()));
            noteLambdas();
            position = maxLocals;
            extendFrames();
            exitBeforeReturns();
            recoverInHandlers();
            LabelNode guarded = new LabelNode();
            boolean guard = guardFrom(guarded, number);
            if (guard) {
                exitOnThrow(guarded);
            }
        }
        accept(next);
    }

    private void noteLambdas() {
        for (AbstractInsnNode node : instructions.toArray()) {
            if (node instanceof InvokeDynamicInsnNode) {
                for (Object argument : ((InvokeDynamicInsnNode) node).bsmArgs) {
                    if (argument instanceof Handle && isLambda((Handle) argument)) {
                        Handle lambda = (Handle) argument;
                        Registry.addLambda(type, name + desc, lambda.getName() + lambda.getDesc());
                    }
                }
            }
        }
    }

    private boolean isLambda(Handle handle) {
        return handle.getOwner().equals(type) && handle.getName().startsWith("lambda$");
    }

    private boolean isFixture() {
        if (FIXTURES_OF_JUNIT_3.contains(name + desc)) {
            return true;
        }
        if (visibleAnnotations != null) {
            for (AnnotationNode annotation : visibleAnnotations) {
                if (FIXTURES.contains(annotation.desc)) {
                    return true;
                }
            }
        }
        return false;
    }

    private void extendFrames() {
        for (AbstractInsnNode node : instructions.toArray()) {
            if (node instanceof FrameNode) {
                FrameNode frame = (FrameNode) node;
                List<Object> locals = frame.local == null ? new ArrayList<>() : new ArrayList<>(frame.local);
                int slots = 0;
                for (Object local : locals) {
                    slots += local == Opcodes.LONG || local == Opcodes.DOUBLE ? 2 : 1;
                }
                for (; slots < position; slots++) {
                    locals.add(Opcodes.TOP);
                }
                locals.add(Opcodes.INTEGER);
                frame.local = locals;
            }
        }
    }

    private void exitBeforeReturns() {
        for (AbstractInsnNode node : instructions.toArray()) {
            int opcode = node.getOpcode();
            if (opcode >= Opcodes.IRETURN && opcode <= Opcodes.RETURN) {
                instructions.insertBefore(node, tell("exit"));
            }
        }
    }

    /** Frames above may have been left without a word, such as constructors before their super(...) returned. */
    private void recoverInHandlers() {
        Set<LabelNode> handlers = new HashSet<>();
        for (TryCatchBlockNode block : tryCatchBlocks) {
            if (handlers.add(block.handler)) {
                AbstractInsnNode first = block.handler;
                while (first.getOpcode() < 0) {
                    first = first.getNext();
                }
                instructions.insertBefore(first, tell("caught"));
            }
        }
    }

    /**
     * Enters the method, and puts the label where throwables can be caught from: in a constructor that is after its
     * super(...) or this(...). False when that is not found; then the frame is left pending.
     */
    private boolean guardFrom(LabelNode guarded, int number) {
        InsnList entry = new InsnList();
        entry.add(new LdcInsnNode(number));
        entry.add(new MethodInsnNode(Opcodes.INVOKESTATIC, CALLS, "enter", "(I)I", false));
        entry.add(new VarInsnNode(Opcodes.ISTORE, position));
        boolean constructor = name.equals("<init>");
        if (constructor) {
            AbstractInsnNode call = constructorCall();
            instructions.insert(entry);
            if (call == null) {
                return false;
            }
            InsnList constructed = tell("constructed");
            constructed.add(guarded);
            instructions.insert(call, constructed);
            return true;
        }
        entry.add(guarded);
        instructions.insert(entry);
        return true;
    }

    /** The first call of a constructor that no NEW before it accounts for; null where branches could cross it. */
    private AbstractInsnNode constructorCall() {
        int pending = 0;
        AbstractInsnNode call = null;
        for (AbstractInsnNode node = instructions.getFirst(); node != null; node = node.getNext()) {
            if (call != null) {
                if (node instanceof FrameNode && ((FrameNode) node).local.contains(Opcodes.UNINITIALIZED_THIS)) {
                    return null;
                }
            } else if (node.getOpcode() == Opcodes.NEW) {
                pending++;
            } else if (node.getOpcode() == Opcodes.INVOKESPECIAL && ((MethodInsnNode) node).name.equals("<init>")) {
                if (pending == 0) {
                    call = node;
                } else {
                    pending--;
                }
            }
        }
        return call;
    }

    private void exitOnThrow(LabelNode guarded) {
        LabelNode end = new LabelNode();
        LabelNode handler = new LabelNode();
        instructions.add(end);
        instructions.add(handler);
        if (hasFrames) {
            Object[] locals = new Object[position + 1];
            Arrays.fill(locals, Opcodes.TOP);
            locals[position] = Opcodes.INTEGER;
            instructions.add(
                    new FrameNode(Opcodes.F_NEW, locals.length, locals, 1, new Object[] {"java/lang/Throwable"}));
        }
        instructions.add(tell("thrown"));
        instructions.add(new InsnNode(Opcodes.ATHROW));
        // Last in the table: the method's own handlers come first.
        tryCatchBlocks.add(new TryCatchBlockNode(guarded, end, handler, null));
    }

    private InsnList tell(String what) {
        InsnList call = new InsnList();
        call.add(new VarInsnNode(Opcodes.ILOAD, position));
        call.add(new MethodInsnNode(Opcodes.INVOKESTATIC, CALLS, what, "(I)V", false));
        return call;
    }
}

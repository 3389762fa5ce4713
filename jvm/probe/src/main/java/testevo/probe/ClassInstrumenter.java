package testevo.probe;

import java.util.Set;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** Decides which methods of a class get a frame, and of which kind. */
final class ClassInstrumenter extends ClassVisitor {
    private static final int NO_CODE = Opcodes.ACC_ABSTRACT | Opcodes.ACC_NATIVE;

    private final boolean tests;
    private final Set<String> leftOut;
    private String type;
    private String superType;
    private boolean hasFrames;

    ClassInstrumenter(ClassVisitor next, boolean tests, Set<String> leftOut) {
        super(Opcodes.ASM9, next);
        this.tests = tests;
        this.leftOut = leftOut;
    }

    @Override
    public void visit(int version, int access, String name, String signature, String superName, String[] interfaces) {
        type = name;
        superType = superName;
        hasFrames = (version & 0xffff) >= Opcodes.V1_6;
        Registry.addType(name, superName, interfaces);
        super.visit(version, access, name, signature, superName, interfaces);
    }

    @Override
    public void visitOuterClass(String owner, String name, String descriptor) {
        if (name != null) {
            Registry.addLocalType(type, owner, name + descriptor);
        }
        super.visitOuterClass(owner, name, descriptor);
    }

    @Override
    public MethodVisitor visitMethod(
            int access, String name, String descriptor, String signature, String[] exceptions) {
        MethodVisitor next = super.visitMethod(access, name, descriptor, signature, exceptions);
        Kind kind = kind(access, name);
        if (kind == null || (access & NO_CODE) != 0 || leftOut.contains(name + descriptor)) {
            return next;
        }
        return new MethodInstrumenter(
                next, hasFrames, type, superType, kind, access, name, descriptor, signature, exceptions);
    }

    /** Null for methods that only the compiler knows, bridges of production classes apart: their frames do not show. */
    private Kind kind(int access, String name) {
        if ((access & Opcodes.ACC_SYNTHETIC) != 0) {
            if (!name.startsWith("lambda$")) {
                return !tests && (access & Opcodes.ACC_BRIDGE) != 0 ? Kind.PRODUCTION_BRIDGE : null;
            }
            return tests ? Kind.TEST_TREE_LAMBDA : Kind.PRODUCTION_LAMBDA;
        }
        if (name.equals("<clinit>")) {
            return Kind.STATIC_INITIALISER;
        }
        if (name.equals("<init>")) {
            return tests ? Kind.TEST_TREE_CONSTRUCTOR : Kind.PRODUCTION_CONSTRUCTOR;
        }
        return tests ? Kind.TEST_TREE_METHOD : Kind.PRODUCTION_METHOD;
    }
}

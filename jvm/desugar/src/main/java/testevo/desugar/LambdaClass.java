package testevo.desugar;

import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.commons.GeneratorAdapter;
import org.objectweb.asm.commons.Method;

/** A class whose objects do what those of a lambda do. */
final class LambdaClass {
    /** Static method that takes what is captured, and answers an object. */
    static final String MAKER = "make";
    private static final String FIELD = "captured";
    private static final String ONLY = "only";
    private static final Type OBJECT = Type.getObjectType("java/lang/Object");
    private static final Method NOTHING = Method.getMethod("void <init> ()");

    final String name;
    private final Lambda lambda;
    private final Type self;
    private final Type[] captured;
    private final ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);

    LambdaClass(String name, Lambda lambda) {
        this.name = name;
        this.lambda = lambda;
        this.self = Type.getObjectType(name);
        this.captured = lambda.captured();
    }

    byte[] file(int version) {
        String[] interfaces = {lambda.functionalInterface().getInternalName()};
        int access = Opcodes.ACC_FINAL | Opcodes.ACC_SUPER | Opcodes.ACC_SYNTHETIC;
        writer.visit(version, access, name, null, OBJECT.getInternalName(), interfaces);
        for (int i = 0; i < captured.length; i++) {
            access = Opcodes.ACC_PRIVATE | Opcodes.ACC_FINAL;
            writer.visitField(access, FIELD + i, captured[i].getDescriptor(), null, null).visitEnd();
        }
        writeConstructor();
        if (captured.length == 0) {
            writeOnly();
        }
        writeMaker();
        writeMethod();
        writer.visitEnd();
        return writer.toByteArray();
    }

    private Method constructor() {
        return new Method("<init>", Type.VOID_TYPE, captured);
    }

    private GeneratorAdapter code(int access, Method method) {
        return new GeneratorAdapter(access, method, null, null, writer);
    }

    private void writeConstructor() {
        GeneratorAdapter code = code(Opcodes.ACC_PRIVATE, constructor());
        code.loadThis();
        code.invokeConstructor(OBJECT, NOTHING);
        for (int i = 0; i < captured.length; i++) {
            code.loadThis();
            code.loadArg(i);
            code.putField(self, FIELD + i, captured[i]);
        }
        code.returnValue();
        code.endMethod();
    }

    /** What captures nothing is made once, as by the JDK. */
    private void writeOnly() {
        int access = Opcodes.ACC_PRIVATE | Opcodes.ACC_STATIC | Opcodes.ACC_FINAL;
        writer.visitField(access, ONLY, self.getDescriptor(), null, null).visitEnd();
        GeneratorAdapter code = code(Opcodes.ACC_STATIC, Method.getMethod("void <clinit> ()"));
        code.newInstance(self);
        code.dup();
        code.invokeConstructor(self, NOTHING);
        code.putStatic(self, ONLY, self);
        code.returnValue();
        code.endMethod();
    }

    private void writeMaker() {
        GeneratorAdapter code = code(
                Opcodes.ACC_STATIC, new Method(MAKER, lambda.functionalInterface(), captured));
        if (captured.length == 0) {
            code.getStatic(self, ONLY, self);
        } else {
            code.newInstance(self);
            code.dup();
            code.loadArgs();
            code.invokeConstructor(self, constructor());
        }
        code.returnValue();
        code.endMethod();
    }

    private void writeMethod() {
        GeneratorAdapter code = code(Opcodes.ACC_PUBLIC, lambda.method);
        writeCall(code, lambda.body(), () -> loadConverted(code));
        Type answered = Lambda.answered(lambda.body());
        Type wanted = lambda.method.getReturnType();
        if (!wanted.equals(Type.VOID_TYPE)) {
            Conversion.write(code, answered, answered, wanted);
        } else if (answered.getSize() == 2) {
            code.pop2();
        } else if (answered.getSize() == 1) {
            code.pop();
        }
        code.returnValue();
        code.endMethod();
    }

    private void loadConverted(GeneratorAdapter code) {
        Type[] taken = Lambda.taken(lambda.body());
        for (int i = 0; i < captured.length; i++) {
            code.loadThis();
            code.getField(self, FIELD + i, captured[i]);
            Conversion.write(code, captured[i], captured[i], taken[i]);
        }
        Type[] given = lambda.method.getArgumentTypes();
        for (int i = 0; i < given.length; i++) {
            code.loadArg(i);
            Conversion.write(code, given[i], lambda.known[i], taken[captured.length + i]);
        }
    }

    /**
     * Writes a call.
     *
     * @param load writes what puts the arguments onto the stack
     */
    static void writeCall(GeneratorAdapter code, Handle body, Runnable load) {
        if (body.getTag() == Opcodes.H_NEWINVOKESPECIAL) {
            code.newInstance(Type.getObjectType(body.getOwner()));
            code.dup();
        }
        load.run();
        code.visitMethodInsn(
                opcode(body.getTag()), body.getOwner(), body.getName(), body.getDesc(), body.isInterface());
    }

    private static int opcode(int tag) {
        switch (tag) {
            case Opcodes.H_INVOKESTATIC:
                return Opcodes.INVOKESTATIC;
            case Opcodes.H_INVOKEINTERFACE:
                return Opcodes.INVOKEINTERFACE;
            case Opcodes.H_INVOKEVIRTUAL:
                return Opcodes.INVOKEVIRTUAL;
            default:
                return Opcodes.INVOKESPECIAL;
        }
    }
}

package testevo.desugar;

import java.util.ArrayList;
import java.util.List;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.commons.GeneratorAdapter;
import org.objectweb.asm.commons.Method;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;

/** One place that makes the object of a lambda or method reference, and the class that does the same. */
final class Lambda {
    private static final String FACTORY = "java/lang/invoke/LambdaMetafactory";
    private static final String MAKER = "make";
    private static final String FIELD = "captured";
    private static final String ONLY = "only";
    private static final Method MAKE_NOTHING = Method.getMethod("void <init> ()");

    private final MethodNode place;
    private final InvokeDynamicInsnNode instruction;
    private final Method method;
    private Handle body;
    private final Type[] specialised;

    private Lambda(MethodNode place, InvokeDynamicInsnNode instruction) {
        this.place = place;
        this.instruction = instruction;
        this.method = new Method(instruction.name, ((Type) instruction.bsmArgs[0]).getDescriptor());
        this.body = (Handle) instruction.bsmArgs[1];
        this.specialised = ((Type) instruction.bsmArgs[2]).getArgumentTypes();
    }

    /** Null for what is no plain lambda, like a serialisable one, or needs a conversion that is not done here. */
    static Lambda of(MethodNode place, InvokeDynamicInsnNode instruction) {
        if (!instruction.bsm.getOwner().equals(FACTORY) || !instruction.bsm.getName().equals("metafactory")) {
            return null;
        }
        Lambda lambda = new Lambda(place, instruction);
        return lambda.body.getTag() >= Opcodes.H_INVOKEVIRTUAL && lambda.converts() ? lambda : null;
    }

    Handle body() {
        return body;
    }

    /** Lets it call another method, which takes and answers the same. */
    void call(Handle other) {
        body = other;
    }

    /** Its objects are made by a class from then on. */
    void becomes(String name) {
        place.instructions.set(instruction, new MethodInsnNode(
                Opcodes.INVOKESTATIC, name, MAKER, instruction.desc, false));
    }

    /** The types that a method takes, its receiver first. */
    static Type[] taken(Handle body) {
        List<Type> types = new ArrayList<>();
        if (body.getTag() != Opcodes.H_INVOKESTATIC && body.getTag() != Opcodes.H_NEWINVOKESPECIAL) {
            types.add(Type.getObjectType(body.getOwner()));
        }
        for (Type type : Type.getArgumentTypes(body.getDesc())) {
            types.add(type);
        }
        return types.toArray(new Type[0]);
    }

    private Type[] captured() {
        return Type.getArgumentTypes(instruction.desc);
    }

    static Type answered(Handle body) {
        boolean makes = body.getTag() == Opcodes.H_NEWINVOKESPECIAL;
        return makes ? Type.getObjectType(body.getOwner()) : Type.getReturnType(body.getDesc());
    }

    private boolean converts() {
        Type[] taken = taken(body);
        Type[] captured = captured();
        Type[] given = method.getArgumentTypes();
        if (captured.length + given.length != taken.length) {
            return false;
        }
        for (int i = 0; i < captured.length; i++) {
            if (!Conversion.exists(captured[i], captured[i], taken[i])) {
                return false;
            }
        }
        for (int i = 0; i < given.length; i++) {
            if (!Conversion.exists(given[i], specialised[i], taken[captured.length + i])) {
                return false;
            }
        }
        Type wanted = method.getReturnType();
        return wanted.equals(Type.VOID_TYPE) || Conversion.exists(answered(body), answered(body), wanted);
    }

    /** The class file of a class of that name, whose objects do what those of the lambda do. */
    byte[] classFile(String name, int version) {
        Type self = Type.getObjectType(name);
        ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
        String[] interfaces = {Type.getReturnType(instruction.desc).getInternalName()};
        int access = Opcodes.ACC_FINAL | Opcodes.ACC_SUPER | Opcodes.ACC_SYNTHETIC;
        writer.visit(version, access, name, null, "java/lang/Object", interfaces);
        writeConstructor(writer, self);
        writeMaker(writer, self);
        writeMethod(writer, self);
        writer.visitEnd();
        return writer.toByteArray();
    }

    private void writeConstructor(ClassWriter writer, Type self) {
        Method constructor = new Method("<init>", Type.VOID_TYPE, captured());
        GeneratorAdapter code = new GeneratorAdapter(Opcodes.ACC_PRIVATE, constructor, null, null, writer);
        code.loadThis();
        code.invokeConstructor(Type.getObjectType("java/lang/Object"), MAKE_NOTHING);
        Type[] captured = captured();
        for (int i = 0; i < captured.length; i++) {
            int access = Opcodes.ACC_PRIVATE | Opcodes.ACC_FINAL;
            writer.visitField(access, FIELD + i, captured[i].getDescriptor(), null, null).visitEnd();
            code.loadThis();
            code.loadArg(i);
            code.putField(self, FIELD + i, captured[i]);
        }
        code.returnValue();
        code.endMethod();
    }

    /** Takes what the instruction takes from the stack. What captures nothing is made once, as by the JDK. */
    private void writeMaker(ClassWriter writer, Type self) {
        Type[] captured = captured();
        Method maker = new Method(MAKER, instruction.desc);
        GeneratorAdapter code = new GeneratorAdapter(Opcodes.ACC_STATIC, maker, null, null, writer);
        if (captured.length == 0) {
            code.getStatic(self, ONLY, self);
        } else {
            code.newInstance(self);
            code.dup();
            code.loadArgs();
            code.invokeConstructor(self, new Method("<init>", Type.VOID_TYPE, captured));
        }
        code.returnValue();
        code.endMethod();
        if (captured.length == 0) {
            int access = Opcodes.ACC_PRIVATE | Opcodes.ACC_STATIC | Opcodes.ACC_FINAL;
            writer.visitField(access, ONLY, self.getDescriptor(), null, null).visitEnd();
            Method start = Method.getMethod("void <clinit> ()");
            GeneratorAdapter once = new GeneratorAdapter(Opcodes.ACC_STATIC, start, null, null, writer);
            once.newInstance(self);
            once.dup();
            once.invokeConstructor(self, MAKE_NOTHING);
            once.putStatic(self, ONLY, self);
            once.returnValue();
            once.endMethod();
        }
    }

    private void writeMethod(ClassWriter writer, Type self) {
        GeneratorAdapter code = new GeneratorAdapter(Opcodes.ACC_PUBLIC, method, null, null, writer);
        call(code, body, () -> loadConverted(code, self));
        Type wanted = method.getReturnType();
        if (!wanted.equals(Type.VOID_TYPE)) {
            Conversion.write(code, answered(body), answered(body), wanted);
        } else if (answered(body).getSize() == 2) {
            code.pop2();
        } else if (answered(body).getSize() == 1) {
            code.pop();
        }
        code.returnValue();
        code.endMethod();
    }

    private void loadConverted(GeneratorAdapter code, Type self) {
        Type[] taken = taken(body);
        Type[] captured = captured();
        for (int i = 0; i < captured.length; i++) {
            code.loadThis();
            code.getField(self, FIELD + i, captured[i]);
            Conversion.write(code, captured[i], captured[i], taken[i]);
        }
        Type[] given = method.getArgumentTypes();
        for (int i = 0; i < given.length; i++) {
            code.loadArg(i);
            Conversion.write(code, given[i], specialised[i], taken[captured.length + i]);
        }
    }

    /**
     * Writes a call.
     *
     * @param load writes what puts the arguments onto the stack
     */
    static void call(GeneratorAdapter code, Handle body, Runnable load) {
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

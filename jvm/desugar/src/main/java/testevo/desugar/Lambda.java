package testevo.desugar;

import java.util.ArrayList;
import java.util.List;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.commons.Method;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;

/** One instruction that makes the object of a lambda or method reference. */
final class Lambda {
    private static final String FACTORY = "java/lang/invoke/LambdaMetafactory";

    private final MethodNode place;
    private final InvokeDynamicInsnNode instruction;
    private Handle body;
    /** The one method of the object. */
    final Method method;
    /** The types of its arguments where the lambda stands, which may be below those of the method. */
    final Type[] known;

    private Lambda(MethodNode place, InvokeDynamicInsnNode instruction) {
        this.place = place;
        this.instruction = instruction;
        this.method = new Method(instruction.name, ((Type) instruction.bsmArgs[0]).getDescriptor());
        this.body = (Handle) instruction.bsmArgs[1];
        this.known = ((Type) instruction.bsmArgs[2]).getArgumentTypes();
    }

    /** Null for what is no plain lambda, like a serialisable one, or needs a conversion that is not done here. */
    static Lambda of(MethodNode place, InvokeDynamicInsnNode instruction) {
        if (!instruction.bsm.getOwner().equals(FACTORY) || !instruction.bsm.getName().equals("metafactory")) {
            return null;
        }
        Lambda lambda = new Lambda(place, instruction);
        return lambda.body.getTag() >= Opcodes.H_INVOKEVIRTUAL && lambda.converts() ? lambda : null;
    }

    /** The method that it calls. */
    Handle body() {
        return body;
    }

    /** Lets it call another method, which takes and answers the same. */
    void call(Handle other) {
        body = other;
    }

    Type functionalInterface() {
        return Type.getReturnType(instruction.desc);
    }

    /** The types of what the object keeps, and its method puts before its own arguments. */
    Type[] captured() {
        return Type.getArgumentTypes(instruction.desc);
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

    static Type answered(Handle body) {
        boolean makes = body.getTag() == Opcodes.H_NEWINVOKESPECIAL;
        return makes ? Type.getObjectType(body.getOwner()) : Type.getReturnType(body.getDesc());
    }

    /** The object is made by a class from then on. */
    void becomes(LambdaClass made) {
        place.instructions.set(instruction, new MethodInsnNode(
                Opcodes.INVOKESTATIC, made.name, LambdaClass.MAKER, instruction.desc, false));
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
            if (!Conversion.exists(given[i], known[i], taken[captured.length + i])) {
                return false;
            }
        }
        Type wanted = method.getReturnType();
        return wanted.equals(Type.VOID_TYPE) || Conversion.exists(answered(body), answered(body), wanted);
    }
}

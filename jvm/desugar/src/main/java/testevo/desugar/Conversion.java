package testevo.desugar;

import java.util.HashMap;
import java.util.Map;
import org.objectweb.asm.Type;
import org.objectweb.asm.commons.GeneratorAdapter;

/** From a type that a lambda's method has to one that its body has, or back, as {@code LambdaMetafactory} does it. */
final class Conversion {
    private static final Type OBJECT = Type.getObjectType("java/lang/Object");
    private static final Map<Type, Type> BOXES = new HashMap<>();

    static {
        BOXES.put(Type.BOOLEAN_TYPE, Type.getType(Boolean.class));
        BOXES.put(Type.BYTE_TYPE, Type.getType(Byte.class));
        BOXES.put(Type.CHAR_TYPE, Type.getType(Character.class));
        BOXES.put(Type.SHORT_TYPE, Type.getType(Short.class));
        BOXES.put(Type.INT_TYPE, Type.getType(Integer.class));
        BOXES.put(Type.LONG_TYPE, Type.getType(Long.class));
        BOXES.put(Type.FLOAT_TYPE, Type.getType(Float.class));
        BOXES.put(Type.DOUBLE_TYPE, Type.getType(Double.class));
    }

    private Conversion() {
    }

    /**
     * @param from the erased type
     * @param known what is known of it where the lambda stands: {@code from} or a class below
     */
    static boolean exists(Type from, Type known, Type to) {
        if (isPrimitive(from)) {
            return from.equals(known) && (from.equals(to) || OBJECT.equals(to) || to.equals(BOXES.get(from)));
        }
        return !isPrimitive(known) && (!isPrimitive(to) || known.equals(BOXES.get(to)));
    }

    /** Converts what is on the stack, where such a conversion exists. */
    static void write(GeneratorAdapter code, Type from, Type known, Type to) {
        if (isPrimitive(from)) {
            if (!from.equals(to)) {
                code.valueOf(from);
            }
            return;
        }
        if (!known.equals(from)) {
            code.checkCast(known);
        }
        if (isPrimitive(to)) {
            code.unbox(to);
        } else if (!to.equals(known)) {
            code.checkCast(to);
        }
    }

    private static boolean isPrimitive(Type type) {
        return type.getSort() < Type.ARRAY;
    }
}

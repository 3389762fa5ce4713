package testevo.worker;

import java.util.HashMap;
import java.util.Map;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.IntInsnNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodNode;

/**
 * The tables through which the compiler switches over an enum.
 *
 * <p>One synthetic class holds the tables of a whole file, {@code $SwitchMap$a$b$Colour[Colour.RED.ordinal()] = 1}, and
 * counts constants in the order in which the file mentions them: a new switch renumbers the cases of all later ones.
 */
final class SwitchMaps {
    private static final String PREFIX = "$SwitchMap$";

    private SwitchMaps() {}

    static boolean isTable(AbstractInsnNode instruction) {
        return instruction.getOpcode() == Opcodes.GETSTATIC && ((FieldInsnNode) instruction).name.startsWith(PREFIX);
    }

    /** Constant names by case number; empty when the table cannot be read. */
    static Map<Integer, String> constants(FieldInsnNode table, ClassFolder classes) {
        Map<Integer, String> constants = new HashMap<>();
        ClassNode holder = classes.get(table.owner);
        MethodNode initialiser = holder == null ? null : classes.method(holder.name, "<clinit>", "()V");
        if (initialiser == null) {
            return constants;
        }
        String current = null;
        String constant = null;
        for (AbstractInsnNode instruction : initialiser.instructions) {
            if (instruction.getOpcode() == Opcodes.GETSTATIC) {
                String name = ((FieldInsnNode) instruction).name;
                current = isTable(instruction) ? name : current;
                constant = isTable(instruction) ? null : name;
            } else if (instruction.getOpcode() == Opcodes.IASTORE && table.name.equals(current) && constant != null) {
                Integer number = pushed(instruction.getPrevious());
                if (number != null) {
                    constants.put(number, constant);
                }
            }
        }
        return constants;
    }

    private static Integer pushed(AbstractInsnNode instruction) {
        int opcode = instruction.getOpcode();
        if (opcode >= Opcodes.ICONST_M1 && opcode <= Opcodes.ICONST_5) {
            return opcode - Opcodes.ICONST_0;
        }
        if (instruction instanceof IntInsnNode) {
            return ((IntInsnNode) instruction).operand;
        }
        boolean number = instruction instanceof LdcInsnNode && ((LdcInsnNode) instruction).cst instanceof Integer;
        return number ? (Integer) ((LdcInsnNode) instruction).cst : null;
    }
}

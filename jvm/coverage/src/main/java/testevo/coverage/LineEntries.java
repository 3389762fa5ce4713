package testevo.coverage;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Notes each line that is entered, also one that an exception leaves at once: JaCoCo's probes come behind an instruction
 * and miss those, and a mutant on such a line may well be killed.
 */
final class LineEntries {
    /** Source file and line of each slot of {@link Probes#LINES}, in order: {@code a/b/C.java:12}. */
    final List<String> places = new ArrayList<>();

    private final Map<String, Integer> slots = new HashMap<>();

    byte[] into(byte[] bytes, String source) {
        ClassReader reader = new ClassReader(bytes);
        ClassWriter writer = new ClassWriter(0);
        reader.accept(
                new ClassVisitor(Opcodes.ASM9, writer) {
                    @Override
                    public MethodVisitor visitMethod(
                            int access, String name, String descriptor, String signature, String[] exceptions) {
                        return new Method(super.visitMethod(access, name, descriptor, signature, exceptions), source);
                    }
                },
                0);
        return writer.toByteArray();
    }

    private int slot(String source, int line) {
        String place = source + ":" + line;
        Integer known = slots.get(place);
        if (known == null) {
            known = places.size();
            slots.put(place, known);
            places.add(place);
        }
        return known;
    }

    /** Stores before the first instruction of each line. */
    private final class Method extends MethodVisitor {
        private static final int STACK = 3;

        private final String source;
        /** Objects under construction are named by the label of their NEW, which must stay right before it. */
        private final Map<Label, Label> moved = new HashMap<>();

        private final List<Label> here = new ArrayList<>();
        private int entered = -1;

        Method(MethodVisitor next, String source) {
            super(Opcodes.ASM9, next);
            this.source = source;
        }

        @Override
        public void visitLabel(Label label) {
            here.add(label);
            super.visitLabel(label);
        }

        @Override
        public void visitLineNumber(int line, Label start) {
            super.visitLineNumber(line, start);
            entered = slot(source, line);
        }

        /** A frame belongs to the instruction after it, so that nothing may come between label and frame. */
        @Override
        public void visitFrame(int type, int locals, Object[] local, int stacked, Object[] stack) {
            super.visitFrame(type, locals, renamed(local), stacked, renamed(stack));
        }

        private Object[] renamed(Object[] types) {
            if (types == null || moved.isEmpty()) {
                return types;
            }
            Object[] copy = types.clone();
            for (int i = 0; i < copy.length; i++) {
                Label label = copy[i] instanceof Label ? moved.get(copy[i]) : null;
                copy[i] = label == null ? copy[i] : label;
            }
            return copy;
        }

        private void instruction(boolean creates) {
            if (entered >= 0 && entered < Probes.LINES.length) {
                super.visitFieldInsn(Opcodes.GETSTATIC, "testevo/coverage/Probes", "LINES", "[Z");
                super.visitLdcInsn(entered);
                super.visitInsn(Opcodes.ICONST_1);
                super.visitInsn(Opcodes.BASTORE);
                if (creates && !here.isEmpty()) {
                    Label label = new Label();
                    super.visitLabel(label);
                    for (Label before : here) {
                        moved.put(before, label);
                    }
                }
            }
            entered = -1;
            here.clear();
        }

        @Override
        public void visitInsn(int opcode) {
            instruction(false);
            super.visitInsn(opcode);
        }

        @Override
        public void visitIntInsn(int opcode, int operand) {
            instruction(false);
            super.visitIntInsn(opcode, operand);
        }

        @Override
        public void visitVarInsn(int opcode, int variable) {
            instruction(false);
            super.visitVarInsn(opcode, variable);
        }

        @Override
        public void visitTypeInsn(int opcode, String type) {
            instruction(opcode == Opcodes.NEW);
            super.visitTypeInsn(opcode, type);
        }

        @Override
        public void visitFieldInsn(int opcode, String owner, String name, String descriptor) {
            instruction(false);
            super.visitFieldInsn(opcode, owner, name, descriptor);
        }

        @Override
        public void visitMethodInsn(int opcode, String owner, String name, String descriptor, boolean ofInterface) {
            instruction(false);
            super.visitMethodInsn(opcode, owner, name, descriptor, ofInterface);
        }

        @Override
        public void visitInvokeDynamicInsn(String name, String descriptor, Handle bootstrap, Object... arguments) {
            instruction(false);
            super.visitInvokeDynamicInsn(name, descriptor, bootstrap, arguments);
        }

        @Override
        public void visitJumpInsn(int opcode, Label label) {
            instruction(false);
            super.visitJumpInsn(opcode, label);
        }

        @Override
        public void visitLdcInsn(Object value) {
            instruction(false);
            super.visitLdcInsn(value);
        }

        @Override
        public void visitIincInsn(int variable, int increment) {
            instruction(false);
            super.visitIincInsn(variable, increment);
        }

        @Override
        public void visitTableSwitchInsn(int least, int most, Label other, Label... labels) {
            instruction(false);
            super.visitTableSwitchInsn(least, most, other, labels);
        }

        @Override
        public void visitLookupSwitchInsn(Label other, int[] keys, Label[] labels) {
            instruction(false);
            super.visitLookupSwitchInsn(other, keys, labels);
        }

        @Override
        public void visitMultiANewArrayInsn(String descriptor, int dimensions) {
            instruction(false);
            super.visitMultiANewArrayInsn(descriptor, dimensions);
        }

        @Override
        public void visitMaxs(int stack, int locals) {
            super.visitMaxs(stack + STACK, locals);
        }
    }
}

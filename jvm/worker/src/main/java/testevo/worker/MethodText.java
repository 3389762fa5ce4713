package testevo.worker;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.objectweb.asm.ConstantDynamic;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.IincInsnNode;
import org.objectweb.asm.tree.IntInsnNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.LookupSwitchInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.MultiANewArrayInsnNode;
import org.objectweb.asm.tree.TableSwitchInsnNode;
import org.objectweb.asm.tree.TryCatchBlockNode;
import org.objectweb.asm.tree.TypeInsnNode;
import org.objectweb.asm.tree.VarInsnNode;

/**
 * A method's code as text that is equal when the code does the same, whatever else its class declares.
 *
 * <p>Bodies of lambdas and of other methods the compiler made up stand where they are used, so neither their names nor
 * their numbers appear; labels are numbered by position; local classes go by {@link ClassFolder#map}.
 */
final class MethodText {
    private final ClassFolder classes;
    /** Told of every class the code names, by internal name. */
    private final Mentions mentions;

    private final StringBuilder text = new StringBuilder();
    /** Guards against made-up methods that call themselves. */
    private final Set<MethodNode> open = new HashSet<>();

    /** Hears which classes a method's code names. */
    interface Mentions {
        void mention(String internalName);
    }

    MethodText(ClassFolder classes, Mentions mentions) {
        this.classes = classes;
        this.mentions = mentions;
    }

    String of(ClassNode owner, MethodNode method) {
        int kept = Opcodes.ACC_STATIC | Opcodes.ACC_SYNCHRONIZED | Opcodes.ACC_NATIVE | Opcodes.ACC_ABSTRACT;
        text.setLength(0);
        text.append(method.access & kept).append(' ');
        text.append(classes.mapType(Type.getReturnType(method.desc).getInternalName()))
                .append('\n');
        addBody(owner.name, method);
        return text.toString();
    }

    private void addBody(String owner, MethodNode method) {
        if (!open.add(method)) {
            text.append("again\n");
            return;
        }
        Body body = new Body(owner, method);
        for (AbstractInsnNode instruction : method.instructions) {
            body.add(instruction);
        }
        for (TryCatchBlockNode block : method.tryCatchBlocks) {
            text.append("try ").append(body.label(block.start)).append(' ').append(body.label(block.end));
            text.append(' ')
                    .append(body.label(block.handler))
                    .append(' ')
                    .append(type(block.type))
                    .append('\n');
        }
        open.remove(method);
    }

    private String type(String internalName) {
        if (internalName == null) {
            return "any";
        }
        mention(Type.getObjectType(internalName));
        return classes.mapType(internalName);
    }

    private void mention(Type type) {
        Type element = type.getSort() == Type.ARRAY ? type.getElementType() : type;
        if (element.getSort() == Type.OBJECT) {
            mentions.mention(element.getInternalName());
        }
    }

    /** One list of instructions with labels of its own. */
    private final class Body {
        private final String owner;
        private final Map<LabelNode, Integer> labels = new HashMap<>();
        private final Deque<Map<Integer, String>> switchMaps = new ArrayDeque<>();

        Body(String owner, MethodNode method) {
            this.owner = owner;
            Set<LabelNode> targets = targets(method);
            for (AbstractInsnNode instruction : method.instructions) {
                if (targets.contains(instruction)) {
                    labels.put((LabelNode) instruction, labels.size());
                }
            }
        }

        String label(LabelNode label) {
            return "L" + labels.get(label);
        }

        void add(AbstractInsnNode instruction) {
            if (instruction instanceof LabelNode) {
                if (labels.containsKey(instruction)) {
                    text.append(label((LabelNode) instruction)).append(":\n");
                }
            } else if (instruction.getOpcode() >= 0) {
                text.append(instruction.getOpcode());
                addOperands(instruction);
                text.append('\n');
            }
        }

        private void addOperands(AbstractInsnNode instruction) {
            switch (instruction.getType()) {
                case AbstractInsnNode.INT_INSN:
                    word(((IntInsnNode) instruction).operand);
                    break;
                case AbstractInsnNode.VAR_INSN:
                    word(((VarInsnNode) instruction).var);
                    break;
                case AbstractInsnNode.IINC_INSN:
                    word(((IincInsnNode) instruction).var);
                    word(((IincInsnNode) instruction).incr);
                    break;
                case AbstractInsnNode.TYPE_INSN:
                    word(type(((TypeInsnNode) instruction).desc));
                    break;
                case AbstractInsnNode.MULTIANEWARRAY_INSN:
                    word(classes.mapDesc(((MultiANewArrayInsnNode) instruction).desc));
                    word(((MultiANewArrayInsnNode) instruction).dims);
                    break;
                case AbstractInsnNode.LDC_INSN:
                    constant(((LdcInsnNode) instruction).cst);
                    break;
                case AbstractInsnNode.JUMP_INSN:
                    word(label(((JumpInsnNode) instruction).label));
                    break;
                case AbstractInsnNode.FIELD_INSN:
                    field((FieldInsnNode) instruction);
                    break;
                case AbstractInsnNode.METHOD_INSN:
                    call((MethodInsnNode) instruction);
                    break;
                case AbstractInsnNode.INVOKE_DYNAMIC_INSN:
                    dynamicCall((InvokeDynamicInsnNode) instruction);
                    break;
                case AbstractInsnNode.TABLESWITCH_INSN:
                    TableSwitchInsnNode table = (TableSwitchInsnNode) instruction;
                    cases(instruction, table.min, null, table.labels, table.dflt);
                    break;
                case AbstractInsnNode.LOOKUPSWITCH_INSN:
                    LookupSwitchInsnNode lookup = (LookupSwitchInsnNode) instruction;
                    cases(instruction, 0, lookup.keys, lookup.labels, lookup.dflt);
                    break;
                default:
                    break;
            }
        }

        private void word(Object word) {
            text.append(' ').append(word);
        }

        private void field(FieldInsnNode field) {
            if (SwitchMaps.isTable(field)) {
                switchMaps.push(SwitchMaps.constants(field, classes));
                word(field.name);
                return;
            }
            word(type(field.owner));
            word(field.name);
            word(classes.mapDesc(field.desc));
        }

        private void call(MethodInsnNode call) {
            MethodNode called = classes.method(call.owner, call.name, call.desc);
            if (called != null && isMadeUp(called)) {
                fold(call.owner, called);
                return;
            }
            word(type(call.owner));
            word(call.name);
            word(classes.mapMethodDesc(call.desc));
        }

        private void dynamicCall(InvokeDynamicInsnNode call) {
            word(call.name);
            word(classes.mapMethodDesc(call.desc));
            constant(call.bsm);
            for (Object argument : call.bsmArgs) {
                constant(argument);
            }
        }

        private void fold(String calledOwner, MethodNode called) {
            text.append(" {").append(called.access & Opcodes.ACC_STATIC).append('\n');
            addBody(calledOwner, called);
            text.append('}');
        }

        private void constant(Object value) {
            if (value instanceof Handle) {
                handle((Handle) value);
            } else if (value instanceof Type) {
                Type type = (Type) value;
                mention(type);
                word(
                        type.getSort() == Type.METHOD
                                ? classes.mapMethodDesc(type.getDescriptor())
                                : classes.mapDesc(type.getDescriptor()));
            } else if (value instanceof ConstantDynamic) {
                ConstantDynamic dynamic = (ConstantDynamic) value;
                word(dynamic.getName());
                word(classes.mapDesc(dynamic.getDescriptor()));
                handle(dynamic.getBootstrapMethod());
                for (int index = 0; index < dynamic.getBootstrapMethodArgumentCount(); index++) {
                    constant(dynamic.getBootstrapMethodArgument(index));
                }
            } else {
                String literal = value.toString();
                word(value.getClass().getSimpleName() + ":" + literal.length() + ":" + literal);
            }
        }

        private void handle(Handle handle) {
            MethodNode method = classes.method(handle.getOwner(), handle.getName(), handle.getDesc());
            word("handle" + handle.getTag());
            if (method != null && isMadeUp(method)) {
                fold(handle.getOwner(), method);
                return;
            }
            word(type(handle.getOwner()));
            word(handle.getName());
            boolean isField = handle.getTag() <= Opcodes.H_PUTSTATIC;
            word(isField ? classes.mapDesc(handle.getDesc()) : classes.mapMethodDesc(handle.getDesc()));
        }

        /** Cases of a switch over an enum are told by constant, all others by number. */
        private void cases(
                AbstractInsnNode node, int first, List<Integer> keys, List<LabelNode> targets, LabelNode otherwise) {
            boolean ofEnum = node.getPrevious().getOpcode() == Opcodes.IALOAD && !switchMaps.isEmpty();
            Map<Integer, String> constants = ofEnum ? switchMaps.pop() : new HashMap<>();
            Map<String, String> cases = new TreeMap<>();
            for (int index = 0; index < targets.size(); index++) {
                int number = keys == null ? first + index : keys.get(index);
                // A table fills its gaps with the default; whether there are gaps depends on the numbers.
                if (targets.get(index) != otherwise) {
                    cases.put(constants.getOrDefault(number, Integer.toString(number)), label(targets.get(index)));
                }
            }
            if (ofEnum) {
                // The numbers also decide which of the two switch instructions is used.
                text.setLength(
                        text.length() - Integer.toString(node.getOpcode()).length());
                text.append("switch");
            }
            word(cases);
            word(label(otherwise));
        }
    }

    /** Lambdas, access methods and constructors, {@code $values}: not written by anyone and called by name only. */
    private static boolean isMadeUp(MethodNode method) {
        return (method.access & Opcodes.ACC_SYNTHETIC) != 0 && (method.access & Opcodes.ACC_BRIDGE) == 0;
    }

    private static Set<LabelNode> targets(MethodNode method) {
        Set<LabelNode> targets = new HashSet<>();
        for (AbstractInsnNode instruction : method.instructions) {
            if (instruction instanceof JumpInsnNode) {
                targets.add(((JumpInsnNode) instruction).label);
            } else if (instruction instanceof TableSwitchInsnNode) {
                targets.addAll(((TableSwitchInsnNode) instruction).labels);
                targets.add(((TableSwitchInsnNode) instruction).dflt);
            } else if (instruction instanceof LookupSwitchInsnNode) {
                targets.addAll(((LookupSwitchInsnNode) instruction).labels);
                targets.add(((LookupSwitchInsnNode) instruction).dflt);
            }
        }
        for (TryCatchBlockNode block : method.tryCatchBlocks) {
            targets.add(block.start);
            targets.add(block.end);
            targets.add(block.handler);
        }
        return targets;
    }
}

package testevo.worker;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Paths;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import java.util.TreeSet;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldNode;
import org.objectweb.asm.tree.MethodNode;
import testevo.lines.Command;
import testevo.lines.Fields;

/** Digests of the methods of an output folder that tell whether their code differs. */
final class Digest implements Command {
    @Override
    public JsonObject answer(JsonObject request) throws IOException {
        ClassFolder classes = ClassFolder.read(Paths.get(Fields.text(request, "folder")));
        JsonArray methods = new JsonArray();
        for (ClassNode node : classes.all()) {
            for (MethodNode method : node.methods) {
                if (!isMadeUp(method)) {
                    methods.add(describe(node, method, classes));
                }
            }
        }
        JsonObject answer = new JsonObject();
        answer.add("methods", methods);
        return answer;
    }

    /** One digest of several classes, without debug data: equal when no program could tell them apart by their code. */
    static String of(ClassFolder classes) {
        StringBuilder text = new StringBuilder();
        for (ClassNode node : classes.all()) {
            text.append(node.name)
                    .append(' ')
                    .append(sha256(withoutDebugData(node)))
                    .append('\n');
        }
        return sha256(text.toString());
    }

    private static boolean isMadeUp(MethodNode method) {
        return (method.access & (Opcodes.ACC_SYNTHETIC | Opcodes.ACC_BRIDGE)) != 0;
    }

    private static JsonObject describe(ClassNode node, MethodNode method, ClassFolder classes) {
        JsonObject described = new JsonObject();
        described.addProperty("class", node.name.replace('/', '.'));
        described.addProperty("name", method.name);
        described.addProperty("descriptor", method.desc);
        described.addProperty("digest", sha256(withLocalClasses(node, method, classes)));
        return described;
    }

    /** The method's text followed by those of the local and anonymous classes it names, and those they name. */
    private static String withLocalClasses(ClassNode node, MethodNode method, ClassFolder classes) {
        Set<String> seen = new HashSet<>();
        Deque<ClassNode> waiting = new ArrayDeque<>();
        seen.add(node.name);
        MethodText methodText = new MethodText(classes, name -> {
            ClassNode mentioned = classes.get(name);
            boolean written = mentioned != null && (mentioned.access & Opcodes.ACC_SYNTHETIC) == 0;
            if (written && classes.isLocal(name) && seen.add(name)) {
                waiting.add(mentioned);
            }
        });
        StringBuilder text = new StringBuilder(methodText.of(node, method));
        while (!waiting.isEmpty()) {
            text.append(localClass(waiting.remove(), methodText, classes));
        }
        return text.toString();
    }

    private static String localClass(ClassNode node, MethodText methodText, ClassFolder classes) {
        Set<String> members = new TreeSet<>();
        for (FieldNode field : node.fields) {
            members.add("field " + field.name + " " + classes.mapDesc(field.desc) + " " + field.value + "\n");
        }
        for (MethodNode method : node.methods) {
            if (!isMadeUp(method)) {
                String name = method.name + " " + classes.mapMethodDesc(method.desc);
                members.add("method " + name + "\n" + methodText.of(node, method));
            }
        }
        String kind = node.superName == null ? "" : classes.map(node.superName);
        return "class " + classes.map(node.name) + " " + kind + " " + node.interfaces + "\n" + String.join("", members);
    }

    /** A class file with a constant pool in order of use, annotations included. */
    static byte[] withoutDebugData(ClassNode node) {
        ClassWriter writer = new ClassWriter(0);
        node.accept(writer);
        return writer.toByteArray();
    }

    static String sha256(String text) {
        return sha256(text.getBytes(StandardCharsets.UTF_8));
    }

    static String sha256(byte[] bytes) {
        try {
            StringBuilder hex = new StringBuilder();
            for (byte part : MessageDigest.getInstance("SHA-256").digest(bytes)) {
                hex.append(String.format("%02x", part & 0xff));
            }
            return hex.toString();
        } catch (NoSuchAlgorithmException error) {
            throw new IllegalStateException("every Java runtime has SHA-256", error);
        }
    }
}

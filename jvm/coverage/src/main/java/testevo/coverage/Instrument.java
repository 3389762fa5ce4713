package testevo.coverage;

import com.google.gson.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.Map;
import org.jacoco.core.instr.Instrumenter;
import org.jacoco.core.runtime.IExecutionDataAccessorGenerator;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import testevo.lines.Command;
import testevo.lines.Fields;

/** Writes the classes of some source files, with JaCoCo's probes in them, into a folder. */
final class Instrument implements Command, IExecutionDataAccessorGenerator {
    private final Instrumenter instrumenter = new Instrumenter(this);

    @Override
    public JsonObject answer(JsonObject request) throws IOException {
        Path output = Paths.get(Fields.text(request, "output"));
        Map<String, byte[]> classes = SourceClasses.of(request);
        for (Map.Entry<String, byte[]> found : classes.entrySet()) {
            Path file = output.resolve(found.getKey() + ".class");
            Files.createDirectories(file.getParent());
            Files.write(file, instrumenter.instrument(found.getValue(), found.getKey()));
        }
        JsonObject answer = new JsonObject();
        answer.add("classes", Fields.array(classes.keySet()));
        return answer;
    }

    /** Called for each class: how it gets its probes when it is initialised. */
    @Override
    public int generateDataAccessor(long id, String name, int count, MethodVisitor code) {
        code.visitLdcInsn(id);
        code.visitLdcInsn(name);
        code.visitLdcInsn(count);
        code.visitMethodInsn(Opcodes.INVOKESTATIC, "testevo/coverage/Probes", "get", "(JLjava/lang/String;I)[Z", false);
        return 4;
    }
}

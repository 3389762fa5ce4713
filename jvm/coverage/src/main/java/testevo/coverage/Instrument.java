package testevo.coverage;

import com.google.gson.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.List;
import org.jacoco.core.instr.Instrumenter;
import org.jacoco.core.runtime.IExecutionDataAccessorGenerator;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import testevo.lines.Command;
import testevo.lines.Fields;

/** Writes the classes of some source files, with JaCoCo's probes and notes of entered lines in them, into a folder. */
final class Instrument implements Command, IExecutionDataAccessorGenerator {
    private final Instrumenter instrumenter = new Instrumenter(this);

    @Override
    public JsonObject answer(JsonObject request) throws IOException {
        Path output = Paths.get(Fields.text(request, "output"));
        List<SourceClass> classes = SourceClass.of(request);
        List<String> names = new ArrayList<>();
        LineEntries lines = new LineEntries();
        for (SourceClass found : classes) {
            Path file = output.resolve(found.name + ".class");
            Files.createDirectories(file.getParent());
            // First JaCoCo's, which knows a class by its bytes.
            byte[] probed = instrumenter.instrument(found.bytes, found.name);
            Files.write(file, lines.into(probed, found.source));
            names.add(found.name);
        }
        Files.write(output.resolve(Probes.MARK.substring(1)), new byte[0]);
        JsonObject answer = new JsonObject();
        answer.add("classes", Fields.array(names));
        answer.add("lines", Fields.array(lines.places));
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

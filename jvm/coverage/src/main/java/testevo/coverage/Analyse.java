package testevo.coverage;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import java.io.IOException;
import org.jacoco.core.analysis.Analyzer;
import org.jacoco.core.analysis.CoverageBuilder;
import org.jacoco.core.analysis.ICounter;
import org.jacoco.core.analysis.ISourceFileCoverage;
import org.jacoco.core.data.ExecutionData;
import org.jacoco.core.data.ExecutionDataStore;
import testevo.lines.Command;
import testevo.lines.Fields;

/** Counts instructions by line of some source files, from the probes of a run and the class files as they were. */
final class Analyse implements Command {
    @Override
    public JsonObject answer(JsonObject request) throws IOException {
        ExecutionDataStore store = new ExecutionDataStore();
        for (String line : Fields.texts(request, "probes")) {
            store.put(execution(line));
        }
        CoverageBuilder builder = new CoverageBuilder();
        Analyzer analyzer = new Analyzer(store, builder);
        for (SourceClass found : SourceClass.of(request)) {
            analyzer.analyzeClass(found.bytes, found.name);
        }
        if (!builder.getNoMatchClasses().isEmpty()) {
            throw new IllegalArgumentException("another version ran of " + builder.getNoMatchClasses());
        }
        JsonObject files = new JsonObject();
        for (ISourceFileCoverage file : builder.getSourceFiles()) {
            String place = file.getPackageName().isEmpty() ? "" : file.getPackageName() + "/";
            files.add(place + file.getName(), lines(file));
        }
        JsonObject answer = new JsonObject();
        answer.add("files", files);
        return answer;
    }

    /** A line of {@code Probes.taken}. */
    private static ExecutionData execution(String line) {
        String[] parts = line.split(" ", -1);
        if (parts.length != 3) {
            throw new IllegalArgumentException("no line of probes: " + line);
        }
        boolean[] probes = new boolean[parts[2].length()];
        for (int i = 0; i < probes.length; i++) {
            probes[i] = parts[2].charAt(i) == '1';
        }
        return new ExecutionData(Long.parseLong(parts[1]), parts[0], probes);
    }

    /** Lines with instructions: number, instructions that ran, instructions. */
    private static JsonArray lines(ISourceFileCoverage file) {
        JsonArray lines = new JsonArray();
        for (int number = file.getFirstLine(); number <= file.getLastLine() && number > 0; number++) {
            ICounter instructions = file.getLine(number).getInstructionCounter();
            if (instructions.getTotalCount() > 0) {
                JsonArray line = new JsonArray();
                line.add(number);
                line.add(instructions.getCoveredCount());
                line.add(instructions.getTotalCount());
                lines.add(line);
            }
        }
        return lines;
    }
}

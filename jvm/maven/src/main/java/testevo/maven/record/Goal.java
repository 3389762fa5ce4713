package testevo.maven.record;

import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.maven.plugin.Mojo;
import org.apache.maven.plugin.MojoExecution;
import org.codehaus.plexus.component.configurator.expression.ExpressionEvaluationException;
import org.codehaus.plexus.component.configurator.expression.ExpressionEvaluator;

/** One execution of a goal: what it was told, and for the compiler plugin how it calls javac. */
final class Goal {
    private static final String COMPILER = "maven-compiler-plugin";

    private final Map<String, Object> record = new LinkedHashMap<>();
    private final CommandLine commandLine = new CommandLine();

    Goal(MojoExecution execution, Mojo mojo, ExpressionEvaluator evaluator)
            throws ExpressionEvaluationException, ReflectiveOperationException {
        record.put("plugin", execution.getArtifactId());
        record.put("goal", execution.getGoal());
        record.put("execution", execution.getExecutionId());
        record.put("settings", Settings.of(mojo, execution.getConfiguration(), evaluator));
        if (execution.getArtifactId().equals(COMPILER)) {
            mojo.setLog(commandLine.heardIn(mojo.getLog()));
        }
    }

    /** The record, when the goal has ended. */
    Map<String, Object> record() {
        record.put("command_line", commandLine.text());
        return record;
    }
}

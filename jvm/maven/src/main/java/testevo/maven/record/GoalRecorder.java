package testevo.maven.record;

import java.io.File;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.inject.Named;
import javax.inject.Singleton;
import org.apache.maven.execution.MojoExecutionEvent;
import org.apache.maven.execution.MojoExecutionListener;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugin.PluginParameterExpressionEvaluator;
import org.codehaus.plexus.component.configurator.expression.ExpressionEvaluationException;
import org.codehaus.plexus.component.configurator.expression.ExpressionEvaluator;

/** Records each goal that Maven executes, when it is configured and has not begun yet. */
@Named
@Singleton
public final class GoalRecorder implements MojoExecutionListener {
    private final Map<File, List<Goal>> goals = new HashMap<>();

    /** The goals of the project with this POM, in the order of their execution. */
    List<Goal> goals(File pom) {
        return goals.getOrDefault(pom, Collections.emptyList());
    }

    @Override
    public void beforeMojoExecution(MojoExecutionEvent event) throws MojoExecutionException {
        if (event.getSession().getUserProperties().getProperty(BuildRecorder.FILE) == null) {
            return;
        }
        ExpressionEvaluator evaluator =
                new PluginParameterExpressionEvaluator(event.getSession(), event.getExecution());
        try {
            Goal goal = new Goal(event.getExecution(), event.getMojo(), evaluator);
            goals.computeIfAbsent(event.getProject().getFile(), pom -> new ArrayList<>())
                    .add(goal);
        } catch (ExpressionEvaluationException | ReflectiveOperationException exception) {
            throw new MojoExecutionException("The configuration of a goal cannot be recorded", exception);
        }
    }

    @Override
    public void afterMojoExecutionSuccess(MojoExecutionEvent event) {}

    @Override
    public void afterExecutionFailure(MojoExecutionEvent event) {}
}

package testevo.maven.record;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.inject.Inject;
import javax.inject.Named;
import javax.inject.Singleton;
import org.apache.maven.execution.MavenSession;
import org.apache.maven.model.Plugin;
import org.apache.maven.model.PluginExecution;
import org.apache.maven.plugin.BuildPluginManager;
import org.apache.maven.plugin.InvalidPluginDescriptorException;
import org.apache.maven.plugin.MojoNotFoundException;
import org.apache.maven.plugin.PluginDescriptorParsingException;
import org.apache.maven.plugin.PluginNotFoundException;
import org.apache.maven.plugin.PluginResolutionException;
import org.apache.maven.project.MavenProject;

/** The executions that a POM, its parents and the packaging give a plugin. */
@Named
@Singleton
public final class Executions {
    private final BuildPluginManager plugins;

    @Inject
    public Executions(BuildPluginManager plugins) {
        this.plugins = plugins;
    }

    List<Object> of(Plugin plugin, MavenProject project, MavenSession session) {
        List<Object> all = new ArrayList<>();
        for (PluginExecution execution : plugin.getExecutions()) {
            List<Object> goals = new ArrayList<>();
            for (String goal : execution.getGoals()) {
                Map<String, Object> bound = new TreeMap<>();
                bound.put("name", goal);
                String phase = execution.getPhase();
                bound.put("phase", phase == null ? usualPhase(plugin, goal, project, session) : phase);
                goals.add(bound);
            }
            Map<String, Object> found = new TreeMap<>();
            found.put("id", execution.getId());
            found.put("phase", execution.getPhase());
            found.put("goals", goals);
            found.put("configuration", Values.element(execution.getConfiguration()));
            all.add(found);
        }
        return all;
    }

    /** The phase that the plugin's descriptor names; empty when none; null when there is no such descriptor or goal. */
    private String usualPhase(Plugin plugin, String goal, MavenProject project, MavenSession session) {
        try {
            String phase = plugins.getMojoDescriptor(
                            plugin, goal, project.getRemotePluginRepositories(), session.getRepositorySession())
                    .getPhase();
            return phase == null ? "" : phase;
        } catch (PluginNotFoundException
                | PluginResolutionException
                | PluginDescriptorParsingException
                | MojoNotFoundException
                | InvalidPluginDescriptorException unknown) {
            return null; // Maven itself has not asked for it: the record says that nobody knows.
        }
    }
}

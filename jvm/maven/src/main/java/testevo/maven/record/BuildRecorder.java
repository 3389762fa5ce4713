package testevo.maven.record;

import java.io.IOException;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import javax.inject.Inject;
import javax.inject.Named;
import javax.inject.Singleton;
import org.apache.maven.AbstractMavenLifecycleParticipant;
import org.apache.maven.MavenExecutionException;
import org.apache.maven.artifact.Artifact;
import org.apache.maven.execution.MavenSession;
import org.apache.maven.lifecycle.LifecycleExecutionException;
import org.apache.maven.lifecycle.internal.LifecycleDependencyResolver;
import org.apache.maven.model.Activation;
import org.apache.maven.model.ActivationFile;
import org.apache.maven.model.Dependency;
import org.apache.maven.model.Plugin;
import org.apache.maven.model.Profile;
import org.apache.maven.project.MavenProject;

/**
 * Writes what Maven knows of each project of a build that has succeeded into the file that the property
 * {@code testevo.record} names: at the end, since plugins may have changed the projects.
 *
 * <p>Dependencies are resolved as for a goal that runs tests; Maven fails where that cannot be done.
 */
@Named
@Singleton
public final class BuildRecorder extends AbstractMavenLifecycleParticipant {
    static final String FILE = "testevo.record";
    private static final Collection<String> SCOPES = Arrays.asList("compile", "provided", "runtime", "system", "test");

    private final GoalRecorder goals;
    private final LifecycleDependencyResolver dependencies;
    private final Executions executions;

    @Inject
    public BuildRecorder(GoalRecorder goals, LifecycleDependencyResolver dependencies, Executions executions) {
        this.goals = goals;
        this.dependencies = dependencies;
        this.executions = executions;
    }

    @Override
    public void afterSessionEnd(MavenSession session) throws MavenExecutionException {
        String file = session.getUserProperties().getProperty(FILE);
        if (file == null || session.getResult().hasExceptions()) {
            return;
        }
        List<Object> projects = new ArrayList<>();
        for (MavenProject project : session.getProjects()) {
            projects.add(project(project, session));
        }
        try {
            Json.write(Collections.singletonMap("projects", projects), Paths.get(file));
        } catch (IOException exception) {
            throw new MavenExecutionException("The record of the build cannot be written", exception);
        }
    }

    private Map<String, Object> project(MavenProject project, MavenSession session) throws MavenExecutionException {
        Map<String, Object> found = new TreeMap<>();
        found.put("folder", project.getBasedir().getPath());
        found.put("artifact", project.getArtifactId());
        Map<String, String> properties = new TreeMap<>();
        for (String name : project.getProperties().stringPropertyNames()) {
            properties.put(name, project.getProperties().getProperty(name));
        }
        found.put("properties", properties);
        found.put("asked", asked(project));
        found.put("class_path", classPath(project, session));
        List<Object> plugins = new ArrayList<>();
        for (Plugin plugin : project.getBuildPlugins()) {
            plugins.add(plugin(plugin, project, session));
        }
        found.put("plugins", plugins);
        List<Object> executed = new ArrayList<>();
        goals.goals(project.getFile()).forEach(goal -> executed.add(goal.record()));
        found.put("goals", executed);
        return found;
    }

    /** The files and folders that a project's profiles and those of its parents ask for, as they are written. */
    private static List<String> asked(MavenProject project) {
        Set<String> found = new TreeSet<>();
        for (MavenProject one = project; one != null; one = one.getParent()) {
            for (Profile profile : one.getOriginalModel().getProfiles()) {
                Activation activation = profile.getActivation();
                ActivationFile file = activation == null ? null : activation.getFile();
                if (file != null) {
                    found.add(Objects.toString(file.getExists(), ""));
                    found.add(Objects.toString(file.getMissing(), ""));
                }
            }
        }
        found.remove("");
        return new ArrayList<>(found);
    }

    private List<String> classPath(MavenProject project, MavenSession session) throws MavenExecutionException {
        try {
            dependencies.resolveProjectDependencies(
                    project, SCOPES, SCOPES, session, false, Collections.<Artifact>emptySet());
        } catch (LifecycleExecutionException exception) {
            throw new MavenExecutionException(exception.getMessage(), exception);
        }
        project.setArtifactFilter(artifact -> true);
        List<String> files = new ArrayList<>();
        project.getArtifacts().forEach(artifact -> files.add(artifact.getFile().getPath()));
        return files;
    }

    private Map<String, Object> plugin(Plugin plugin, MavenProject project, MavenSession session) {
        List<String> names = new ArrayList<>();
        for (Dependency dependency : plugin.getDependencies()) {
            names.add(dependency.getGroupId() + ":" + dependency.getArtifactId());
        }
        Map<String, Object> found = new TreeMap<>();
        found.put("artifact", plugin.getArtifactId());
        found.put("version", plugin.getVersion());
        found.put("dependencies", names);
        found.put("configuration", Values.element(plugin.getConfiguration()));
        found.put("executions", executions.of(plugin, project, session));
        return found;
    }
}

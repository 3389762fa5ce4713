package testevo.maven.reports;

import java.util.List;
import javax.inject.Named;
import javax.inject.Singleton;
import org.apache.maven.AbstractMavenLifecycleParticipant;
import org.apache.maven.execution.MavenSession;
import org.apache.maven.model.Plugin;
import org.apache.maven.model.PluginExecution;
import org.apache.maven.project.MavenProject;
import org.codehaus.plexus.util.xml.Xpp3Dom;

/**
 * Lets Surefire write its usual reports where the system property {@code testevo.reports} is {@code plain}: those that
 * a POM asks for may name tests by their display names, which are no names of classes and methods, or be left out.
 */
@Named
@Singleton
public final class PlainReports extends AbstractMavenLifecycleParticipant {
    private static final String PLUGIN = "maven-surefire-plugin";
    private static final String REPORTER = "statelessTestsetReporter";

    @Override
    public void afterProjectsRead(MavenSession session) {
        if (!"plain".equals(session.getSystemProperties().getProperty("testevo.reports"))) {
            return;
        }
        for (MavenProject project : session.getProjects()) {
            plain(project.getBuildPlugins());
        }
    }

    private static void plain(List<Plugin> plugins) {
        for (Plugin plugin : plugins) {
            if (plugin.getArtifactId().equals(PLUGIN)) {
                leaveOut(plugin.getConfiguration());
                for (PluginExecution execution : plugin.getExecutions()) {
                    leaveOut(execution.getConfiguration());
                }
            }
        }
    }

    private static void leaveOut(Object configuration) {
        Xpp3Dom dom = (Xpp3Dom) configuration;
        for (int at = dom == null ? -1 : dom.getChildCount() - 1; at >= 0; at--) {
            if (dom.getChild(at).getName().equals(REPORTER)) {
                dom.removeChild(at);
            }
        }
    }
}

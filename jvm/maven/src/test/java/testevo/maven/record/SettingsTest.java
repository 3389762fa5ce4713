package testevo.maven.record;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.File;
import java.util.List;
import java.util.Map;
import org.codehaus.plexus.component.configurator.expression.ExpressionEvaluator;
import org.codehaus.plexus.util.xml.Xpp3Dom;
import org.junit.jupiter.api.Test;

class SettingsTest {
    /** As Maven has configured it. */
    private static class Inherited {
        private final List<String> patterns = List.of("**/*.java");
        private final String unset = "a value of the goal's own";
    }

    private static final class Goal extends Inherited {
        private final boolean verbose = true;
        private final File output = new File("/project/target");
    }

    /** Knows one property and takes everything else but placeholders as it stands. */
    private static final class Properties implements ExpressionEvaluator {
        @Override
        public Object evaluate(String expression) {
            return expression.equals("${known}") ? "yes" : expression.startsWith("${") ? null : expression;
        }

        @Override
        public File alignToBaseDirectory(File file) {
            return file;
        }
    }

    private static Xpp3Dom parameter(String name, String value, String usual) {
        Xpp3Dom parameter = new Xpp3Dom(name);
        parameter.setValue(value);
        if (usual != null) {
            parameter.setAttribute("default-value", usual);
        }
        return parameter;
    }

    private static Map<String, Object> settings(Xpp3Dom... parameters) throws Exception {
        Xpp3Dom configuration = new Xpp3Dom("configuration");
        for (Xpp3Dom parameter : parameters) {
            configuration.addChild(parameter);
        }
        return Settings.of(new Goal(), configuration, new Properties());
    }

    @Test
    void a_parameter_that_a_property_sets_has_the_value_the_goal_works_with() throws Exception {
        assertEquals(Map.of("verbose", "true"), settings(parameter("verbose", "${known}", null)));
    }

    @Test
    void a_default_sets_a_parameter() throws Exception {
        assertEquals(Map.of("output", "/project/target"), settings(parameter("output", "${unknown}", "/elsewhere")));
    }

    @Test
    void a_parameter_that_nothing_sets_is_left_out() throws Exception {
        assertEquals(Map.of(), settings(parameter("unset", "${unknown}", null), parameter("unset", null, null)));
    }

    @Test
    void a_parameter_with_parts_is_set() throws Exception {
        Xpp3Dom patterns = parameter("patterns", null, null);
        patterns.addChild(new Xpp3Dom("pattern"));
        assertEquals(Map.of("patterns", List.of("**/*.java")), settings(patterns));
    }

    @Test
    void a_parameter_without_a_field_of_its_name_has_the_value_it_was_given() throws Exception {
        assertEquals(Map.of("bySetter", "yes"), settings(parameter("bySetter", "${known}", null)));
    }

    @Test
    void a_goal_without_configuration_has_no_settings() throws Exception {
        assertEquals(Map.of(), Settings.of(new Goal(), null, new Properties()));
    }
}

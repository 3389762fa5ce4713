package testevo.maven.record;

import java.lang.reflect.Field;
import java.util.Map;
import java.util.TreeMap;
import org.codehaus.plexus.component.configurator.expression.ExpressionEvaluationException;
import org.codehaus.plexus.component.configurator.expression.ExpressionEvaluator;
import org.codehaus.plexus.util.xml.Xpp3Dom;

/** The parameters of a goal to which its configuration, a property or a default gives a value. */
final class Settings {
    private final Object mojo;
    private final ExpressionEvaluator evaluator;

    private Settings(Object mojo, ExpressionEvaluator evaluator) {
        this.mojo = mojo;
        this.evaluator = evaluator;
    }

    /**
     * By name, with the value that the goal works with.
     *
     * @param mojo the configured goal.
     * @param configuration that of the execution, with Maven's defaults merged in; null for none.
     */
    static Map<String, Object> of(Object mojo, Xpp3Dom configuration, ExpressionEvaluator evaluator)
            throws ExpressionEvaluationException, ReflectiveOperationException {
        Settings settings = new Settings(mojo, evaluator);
        Map<String, Object> found = new TreeMap<>();
        for (Xpp3Dom parameter : configuration == null ? new Xpp3Dom[0] : configuration.getChildren()) {
            Object value = settings.value(parameter);
            if (value != null) {
                found.put(parameter.getName(), Values.recorded(value));
            }
        }
        return found;
    }

    /** Null where nothing sets the parameter, also if the goal's code has a value of its own for it. */
    private Object value(Xpp3Dom parameter) throws ExpressionEvaluationException, ReflectiveOperationException {
        Object given = evaluated(parameter.getValue());
        if (given == null) {
            given = evaluated(parameter.getAttribute("default-value"));
        }
        if (given == null && parameter.getChildCount() == 0) {
            return null;
        }
        Field field = field(parameter.getName());
        return field == null ? given : field.get(mojo);
    }

    private Object evaluated(String expression) throws ExpressionEvaluationException {
        return expression == null ? null : evaluator.evaluate(expression);
    }

    /** Null where a goal takes the parameter by a setter and keeps it under another name. */
    private Field field(String name) {
        for (Class<?> type = mojo.getClass(); type != null; type = type.getSuperclass()) {
            for (Field field : type.getDeclaredFields()) {
                if (field.getName().equals(name)) {
                    field.setAccessible(true);
                    return field;
                }
            }
        }
        return null;
    }
}

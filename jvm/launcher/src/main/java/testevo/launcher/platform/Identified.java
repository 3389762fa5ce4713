package testevo.launcher.platform;

import java.lang.reflect.Method;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.platform.engine.TestSource;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;
import testevo.launcher.backend.Declared;
import testevo.launcher.backend.TestName;

/** Which method of which class an identifier of the Platform belongs to. */
final class Identified {
    private static final String[] NONE = {};

    private Identified() {}

    /** The outermost method above a test (a factory, not what its dynamic tests claim), in the class above that. */
    static TestName name(TestPlan plan, TestIdentifier identifier) {
        MethodSource method = null;
        String type = null;
        for (Optional<TestIdentifier> at = Optional.of(identifier); at.isPresent(); at = plan.getParent(at.get())) {
            TestSource source = at.get().getSource().orElse(null);
            if (source instanceof MethodSource) {
                method = (MethodSource) source;
                type = null;
            } else if (source instanceof ClassSource && type == null) {
                type = ((ClassSource) source).getClassName();
            }
        }
        String id = identifier.getUniqueId();
        String display = identifier.getDisplayName();
        if (method == null) {
            return identifier.isTest() ? legacy(identifier, type) : new TestName(type, null, null, display, id);
        }
        String owner = type == null ? method.getClassName() : type;
        return new TestName(owner, method.getMethodName(), parameters(owner, method), display, id);
    }

    /** Tests without a method of their own: JUnit 3 and 4 below the vintage engine, named {@code adds[0](a.B)}. */
    private static TestName legacy(TestIdentifier identifier, String type) {
        String text = identifier.getLegacyReportingName();
        int end = 0;
        while (end < text.length() && Character.isJavaIdentifierPart(text.charAt(end))) {
            end++;
        }
        String method = end == 0 ? text : text.substring(0, end);
        return new TestName(type, method, null, identifier.getDisplayName(), identifier.getUniqueId());
    }

    /** From the class itself where possible: early versions of the source leave the types out. */
    private static String[] parameters(String type, MethodSource source) {
        List<Method> named = named(type, source.getMethodName());
        if (named.size() == 1) {
            return Declared.parameters(named.get(0));
        }
        String text = source.getMethodParameterTypes();
        if (text == null || text.trim().isEmpty()) {
            return NONE;
        }
        String[] names = Declared.readable(text.split(","));
        List<Method> exact = Declared.withParameters(named, names);
        return exact.size() == 1 ? Declared.parameters(exact.get(0)) : names;
    }

    private static List<Method> named(String type, String method) {
        try {
            Class<?> loaded = Class.forName(type, false, Thread.currentThread().getContextClassLoader());
            return Declared.methods(loaded, method);
        } catch (ClassNotFoundException | LinkageError unknown) {
            return Collections.emptyList();
        }
    }
}

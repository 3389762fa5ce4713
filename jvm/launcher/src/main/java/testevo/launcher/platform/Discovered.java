package testevo.launcher.platform;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.platform.engine.TestSource;
import org.junit.platform.engine.UniqueId;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;
import testevo.launcher.backend.Resolved;

/** A selection, what the engines find of it, and which of them must not run it. */
final class Discovered {
    final Resolved selection;
    final TestPlan plan;
    final List<String> excluded;

    Discovered(Resolved selection, TestPlan plan, List<String> excluded) {
        this.selection = selection;
        this.plan = plan;
        this.excluded = excluded;
    }

    boolean isEmpty() {
        return found(plan).isEmpty();
    }

    /**
     * The engines that find the class of the selected method but not the method, where another one finds it: in a class
     * with tests of JUnit 4 and of Jupiter, the engine of JUnit 4 fails for a method that is none of its tests.
     */
    static List<String> enginesWithoutMethod(TestPlan plan, Method method) {
        List<TestIdentifier> engines = found(plan);
        if (method == null || engines.size() < 2) {
            return Collections.emptyList();
        }
        List<String> without = new ArrayList<>();
        for (TestIdentifier engine : engines) {
            if (!hasMethod(plan, engine, method.getName())) {
                without.add(UniqueId.parse(engine.getUniqueId()).getEngineId().get());
            }
        }
        return without.size() < engines.size() ? without : Collections.emptyList();
    }

    private static List<TestIdentifier> found(TestPlan plan) {
        List<TestIdentifier> engines = new ArrayList<>(plan.getRoots());
        engines.removeIf(engine -> plan.getChildren(engine).isEmpty());
        return engines;
    }

    private static boolean hasMethod(TestPlan plan, TestIdentifier engine, String name) {
        for (TestIdentifier one : plan.getDescendants(engine)) {
            Optional<TestSource> source = one.getSource();
            if (source.isPresent()
                    && source.get() instanceof MethodSource
                    && ((MethodSource) source.get()).getMethodName().equals(name)) {
                return true;
            }
        }
        return false;
    }
}

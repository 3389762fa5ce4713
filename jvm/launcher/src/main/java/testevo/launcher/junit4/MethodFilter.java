package testevo.launcher.junit4;

import org.junit.runner.Description;
import org.junit.runner.manipulation.Filter;
import testevo.launcher.backend.Resolved;

/** Lets one method through, with all its invocations (indices of a parameterised class). */
final class MethodFilter extends Filter {
    private final Resolved resolved;

    MethodFilter(Resolved resolved) {
        this.resolved = resolved;
    }

    @Override
    public boolean shouldRun(Description description) {
        if (description.isTest()) {
            return selects(Described.of(description, resolved.type));
        }
        for (Description child : description.getChildren()) {
            if (shouldRun(child)) {
                return true;
            }
        }
        // Some runners describe no children before they run: let them, the listener looks again.
        return description.getChildren().isEmpty();
    }

    boolean selects(Described test) {
        return resolved.selection.method.equals(test.method)
                && resolved.type.getName().equals(test.type);
    }

    @Override
    public String describe() {
        return resolved.selection.text;
    }
}

package testevo.launcher.platform;

import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;
import testevo.launcher.backend.Events;
import testevo.launcher.backend.TestName;

/** Reports a run of the JUnit Platform. */
final class Listener implements TestExecutionListener {
    private final Events events;
    private TestPlan plan;

    Listener(Events events) {
        this.events = events;
    }

    @Override
    public void testPlanExecutionStarted(TestPlan started) {
        plan = started;
    }

    @Override
    public void executionStarted(TestIdentifier identifier) {
        TestName name = Identified.name(plan, identifier);
        if (identifier.isTest()) {
            events.started(name);
        } else if (name.method != null) {
            events.scopeStarted(name);
        }
    }

    @Override
    public void executionSkipped(TestIdentifier identifier, String reason) {
        events.skipped(Identified.name(plan, identifier), reason);
    }

    @Override
    public void executionFinished(TestIdentifier identifier, TestExecutionResult result) {
        TestName name = Identified.name(plan, identifier);
        if (!identifier.isTest() && name.method != null) {
            events.scopeFinished(name);
        }
        Throwable thrown = result.getThrowable().orElse(null);
        switch (result.getStatus()) {
            case SUCCESSFUL:
                if (identifier.isTest()) {
                    events.passed(name);
                }
                break;
            case ABORTED:
                events.aborted(name, thrown);
                break;
            default:
                events.failed(name, thrown);
        }
    }
}

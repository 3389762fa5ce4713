package testevo.launcher.platform;

import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** Old Platforms only log what goes wrong while they look for tests: this catches the throwable of it. */
final class Complaints extends Handler {
    private final Logger logger = Logger.getLogger("org.junit");
    private Throwable last;

    private Complaints() {}

    static Complaints listen() {
        Complaints complaints = new Complaints();
        complaints.logger.addHandler(complaints);
        return complaints;
    }

    /** The last logged throwable since the last call, or null. */
    Throwable take() {
        Throwable taken = last;
        last = null;
        return taken;
    }

    void stop() {
        logger.removeHandler(this);
    }

    @Override
    public void publish(LogRecord entry) {
        if (entry.getThrown() != null) {
            last = entry.getThrown();
        }
    }

    @Override
    public void flush() {
        // Nothing is kept back.
    }

    @Override
    public void close() {
        // Nothing is open.
    }
}

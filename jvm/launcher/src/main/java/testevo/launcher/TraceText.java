package testevo.launcher;

import java.io.Writer;

/**
 * Keeps what is needed of a trace that may have any length: the beginning of each message and the first frames of each
 * throwable, so that no length of one hides the next.
 */
final class TraceText extends Writer {
    /** Ends printing. */
    static final class Full extends RuntimeException {
        private static final long serialVersionUID = 1;

        Full() {
            super("the trace is long enough", null, false, false);
        }
    }

    private static final int LIMIT = 60_000;
    private static final int MESSAGE_LIMIT = 10_000;
    private static final int FRAMES = 200;
    private static final long OFFERED_LIMIT = 200_000_000;

    private final StringBuilder kept = new StringBuilder();
    private final StringBuilder line = new StringBuilder();
    private int frames;
    private int leftOut;
    private int message;
    private long offered;
    private boolean full;

    @Override
    public void write(char[] text, int offset, int length) {
        offered += length;
        for (int at = offset; at < offset + length; at++) {
            if (line.length() < MESSAGE_LIMIT || text[at] == '\n') {
                line.append(text[at]);
            }
            if (text[at] == '\n') {
                endLine();
            }
        }
        if (offered > OFFERED_LIMIT) {
            end();
        }
    }

    /** What was kept, with its last line. */
    String text() {
        try {
            endLine();
            tellLeftOut();
        } catch (Full end) {
            line.setLength(0);
        }
        return full ? kept + "... (the rest is left out)" : kept.toString();
    }

    private void endLine() {
        String said = line.toString();
        line.setLength(0);
        String bare = said.trim();
        if (said.startsWith("\t") && bare.startsWith("at ")) {
            frames++;
            if (frames > FRAMES) {
                leftOut++;
                return;
            }
        } else {
            tellLeftOut();
            if (bare.startsWith("Caused by: ") || bare.startsWith("Suppressed: ")) {
                frames = 0;
                message = 0;
            }
            message += said.length();
            if (message - said.length() > MESSAGE_LIMIT) {
                return;
            }
        }
        keep(said);
    }

    private void tellLeftOut() {
        int count = leftOut;
        leftOut = 0;
        if (count > 0) {
            keep("\t... " + count + " frames left out\n");
        }
    }

    private void keep(String said) {
        if (full || kept.length() + said.length() > LIMIT) {
            end();
        }
        kept.append(said);
    }

    private void end() {
        full = true;
        throw new Full();
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
}

package testevo.lines;

/** What is asked for cannot be done, for a reason that the message tells in full: no fault of the program. */
public final class Refusal extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public Refusal(String message) {
        super(message);
    }
}

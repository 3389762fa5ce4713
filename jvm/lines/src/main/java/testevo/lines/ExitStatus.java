package testevo.lines;

/** Exit statuses, the same as {@code ExitStatus} in {@code testevo/runtime/errors.py}. */
public enum ExitStatus {
    OK(0),
    BUG(1),
    USAGE(2),
    INPUT(3),
    MACHINE(4),
    NOT_PUBLISHABLE(5),
    INTERRUPTED(130);

    public final int number;

    ExitStatus(int number) {
        this.number = number;
    }
}

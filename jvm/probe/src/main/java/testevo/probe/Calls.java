package testevo.probe;

/** What instrumented code calls. Every method passes on the position that {@link #enter} gave it. */
public final class Calls {
    static final ThreadLocal<Frames> FRAMES = new ThreadLocal<Frames>() {
        @Override
        protected Frames initialValue() {
            return new Frames();
        }
    };

    private Calls() {}

    /** On entry; returns the position of the new frame. A StackOverflowError in here leaves the stack as it was. */
    public static int enter(int method) {
        return FRAMES.get().push(method);
    }

    /** Before a return. */
    public static void exit(int position) {
        FRAMES.get().cut(position);
    }

    /** A throwable leaves the method. */
    public static void thrown(int position) {
        FRAMES.get().unwind(position);
    }

    /** The method caught a throwable: frames above its own have gone without saying so. */
    public static void caught(int position) {
        FRAMES.get().cut(position + 1);
    }

    /** The constructor has called {@code super(...)} or {@code this(...)} and is guarded from here. */
    public static void constructed(int position) {
        FRAMES.get().constructed(position);
    }
}

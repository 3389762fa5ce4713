package testevo.probe;

import java.lang.invoke.MethodHandle;

/**
 * What instrumented code calls. Every method passes on the position that {@link #enter} gave it. In a copy, made by a
 * class loader that defines all classes itself, everything goes to the original.
 */
public final class Calls {
    static final ThreadLocal<Frames> FRAMES = new ThreadLocal<Frames>() {
        @Override
        protected Frames initialValue() {
            return new Frames();
        }
    };

    private static final MethodHandle ENTER = Original.of("enter", int.class);
    private static final MethodHandle EXIT = Original.of("exit", void.class);
    private static final MethodHandle THROWN = Original.of("thrown", void.class);
    private static final MethodHandle CAUGHT = Original.of("caught", void.class);
    private static final MethodHandle CONSTRUCTED = Original.of("constructed", void.class);

    private Calls() {}

    /** On entry; returns the position of the new frame. A StackOverflowError in here leaves the stack as it was. */
    public static int enter(int method) {
        return ENTER == null ? FRAMES.get().push(method) : Original.enter(ENTER, method);
    }

    /** Before a return. */
    public static void exit(int position) {
        if (EXIT == null) {
            FRAMES.get().cut(position);
        } else {
            Original.tell(EXIT, position);
        }
    }

    /** A throwable leaves the method. */
    public static void thrown(int position) {
        if (THROWN == null) {
            FRAMES.get().unwind(position);
        } else {
            Original.tell(THROWN, position);
        }
    }

    /** The method caught a throwable: frames above its own have gone without saying so. */
    public static void caught(int position) {
        if (CAUGHT == null) {
            FRAMES.get().cut(position + 1);
        } else {
            Original.tell(CAUGHT, position);
        }
    }

    /** The constructor has called {@code super(...)} or {@code this(...)} and is guarded from here. */
    public static void constructed(int position) {
        if (CONSTRUCTED == null) {
            FRAMES.get().constructed(position);
        } else {
            Original.tell(CONSTRUCTED, position);
        }
    }
}

package testevo.probe;

import java.util.Arrays;

/**
 * The shadow stack of one thread. Each frame knows how it hangs below the test, so that entering a method looks at
 * one frame only.
 */
final class Frames {
    // Where a frame stands: one of these in the low bits of its state.
    private static final int MODE = 7;
    /** No frame of the project at all. */
    private static final int EMPTY = 0;
    /** Not below the test method: fixtures, constructors called by the framework, threads of production code. */
    private static final int OUTSIDE = 1;
    /** The test method, its lambdas, or the body of a thread that it started. */
    private static final int TEST = 2;
    /** Below the test method through methods and constructors of the test tree only. */
    private static final int HELPER = 3;
    /** Below a production method, or below a static initialiser. */
    private static final int BELOW = 4;
    /** The frame of the test method itself is in this stack: else what is called is called from another thread. */
    private static final int MAIN = 8;
    /** Below a static initialiser, which runs once a JVM, for whichever test comes first. */
    private static final int INITIALISER = 16;
    /** A constructor before its super(...) returns: the JVM lets nothing catch what leaves it there. */
    private static final int PENDING = 32;

    /** A lambda of the test: mode {@link #TEST}, but not the frame of the test method. */
    private static final int LAMBDA = 64;

    /** A bridge: the state of the frame above, but not that frame. */
    private static final int BRIDGE = 128;

    private static final int LEVEL_SHIFT = 8;

    private int[] methods = new int[64];
    private int[] states = new int[64];
    private int depth;
    private TestRun test;

    int push(int method) {
        MethodInfo info = Registry.at(method);
        int position = depth;
        while (position > 0 && (states[position - 1] & PENDING) != 0 && isGone(position - 1, info)) {
            position--;
        }
        int above = position == 0 ? EMPTY : states[position - 1] & ~PENDING;
        if ((above & MODE) <= OUTSIDE) {
            test = Hook.current();
        }
        int caller = position == 0 ? -1 : methods[position - 1];
        int state = state(method, info, above, caller);
        if (position == states.length) {
            int[] more = Arrays.copyOf(methods, position * 2);
            states = Arrays.copyOf(states, position * 2);
            methods = more;
        }
        methods[position] = method;
        states[position] = state;
        depth = position + 1;
        return position;
    }

    void cut(int position) {
        depth = position;
    }

    void unwind(int position) {
        int left = position;
        while (left > 0 && (states[left - 1] & PENDING) != 0) {
            left--;
        }
        depth = left;
    }

    void constructed(int position) {
        states[position] &= ~PENDING;
        depth = position + 1;
    }

    private int state(int method, MethodInfo info, int above, int caller) {
        switch (info.kind) {
            case PRODUCTION_METHOD:
                return production(method, above);
            case PRODUCTION_CONSTRUCTOR:
                return below(above) | PENDING;
            case STATIC_INITIALISER:
                return below(above) | INITIALISER;
            case TEST_TREE_METHOD:
                return testTree(method, info, above, caller);
            case TEST_TREE_CONSTRUCTOR:
                return helperBelow(above) | PENDING;
            case TEST_TREE_LAMBDA:
                return lambda(method, info, above);
            case PRODUCTION_BRIDGE:
                return above | BRIDGE;
            default:
                return above;
        }
    }

    private int production(int method, int above) {
        int mode = above & MODE;
        int state = below(above);
        if (test != null) {
            if (mode == TEST || mode == HELPER) {
                test.direct(method, way(above), (above & MAIN) == 0);
            }
            test.closure(method, state >>> LEVEL_SHIFT, (above & INITIALISER) != 0);
        }
        return state;
    }

    private static int way(int above) {
        if ((above & MODE) == HELPER) {
            return TestRun.BY_HELPER;
        }
        if ((above & LAMBDA) != 0) {
            return TestRun.BY_LAMBDA;
        }
        return (above & BRIDGE) == 0 ? TestRun.DIRECT : TestRun.BY_BRIDGE;
    }

    private int testTree(int method, MethodInfo info, int above, int caller) {
        int mode = above & MODE;
        if (test == null) {
            return helperBelow(above);
        }
        boolean again = mode == TEST && (above & MAIN) != 0;
        if (mode != BELOW && (again || (above & MAIN) == 0) && test.isTestMethod(method, info)) {
            info.wasTest = true;
            return TEST | MAIN;
        }
        if (mode == EMPTY && info.isThreadBody() && !test.runsInCurrentThread()) {
            return threadBody(info);
        }
        if (mode == TEST && !info.fixture && isHelper(method, info, caller)) {
            int way = (above & LAMBDA) == 0 ? TestRun.HELPER : TestRun.HELPER_BY_LAMBDA;
            test.helper(method, way, (above & MAIN) == 0);
        }
        return helperBelow(above);
    }

    private boolean isHelper(int method, MethodInfo info, int caller) {
        return test.isKnownHelper(method) || (test.mayBeHelper(method) && isCalledBy(caller, info));
    }

    private int lambda(int method, MethodInfo info, int above) {
        if (test != null && test.isOwnLambda(method, info)) {
            // A dynamic test runs after the method that made it has returned.
            return TEST | LAMBDA | (test.runsInCurrentThread() ? MAIN : above & MAIN);
        }
        boolean begins = (above & MODE) == EMPTY;
        if (test != null && begins && !test.runsInCurrentThread() && test.isOfTestClass(info)) {
            return threadBody(info) | LAMBDA;
        }
        return above;
    }

    /** The body of a thread is the test, or what an earlier test has left running: calls below that are nobody's. */
    private int threadBody(MethodInfo info) {
        if (test.isLeftBehind(info)) {
            test = null;
            return BELOW;
        }
        return TEST;
    }

    /** The state of a frame that is neither the test nor a helper: one level further down. */
    private static int below(int above) {
        int mode = above & MODE;
        return (mode <= OUTSIDE ? OUTSIDE : BELOW) | inherited(above) | nextLevel(above);
    }

    private static int helperBelow(int above) {
        int mode = above & MODE;
        int next = mode == TEST ? HELPER : mode == EMPTY ? OUTSIDE : mode;
        // The first frame outside counts as level 1, so that level 1 of production code always means: direct.
        return next | inherited(above) | (mode == EMPTY ? 1 << LEVEL_SHIFT : nextLevel(above));
    }

    private static int inherited(int above) {
        return above & (MAIN | INITIALISER);
    }

    private static int nextLevel(int above) {
        int level = (above & MODE) == EMPTY ? 1 : above >>> LEVEL_SHIFT;
        return (level + 1) << LEVEL_SHIFT;
    }

    /**
     * Whether the constructor at {@code position} was left by a throwable of code without instrumentation. Its super
     * constructor follows it as a rule; for anything else the real stack is asked.
     */
    private boolean isGone(int position, MethodInfo entered) {
        MethodInfo constructor = Registry.at(methods[position]);
        if (entered.isConstructor()
                && (entered.type.equals(constructor.superType) || entered.type.equals(constructor.type))) {
            return false;
        }
        String type = constructor.binaryType();
        for (StackTraceElement element : new Throwable().getStackTrace()) {
            if (element.getMethodName().equals("<init>")
                    && element.getClassName().equals(type)) {
                return false;
            }
        }
        return true;
    }

    /**
     * Whether the real caller is that frame itself and not a library that it called: else it is a call-back. Elements
     * of the stack have no parameters: those of the entered method's name above the caller's are taken for bridges to
     * it, and one of the caller's name for the caller, which may be an overload of the entered method.
     */
    private static boolean isCalledBy(int caller, MethodInfo entered) {
        MethodInfo expected = Registry.at(caller);
        String own = entered.binaryType();
        boolean inside = false;
        for (StackTraceElement element : new Throwable().getStackTrace()) {
            String type = element.getClassName();
            String name = element.getMethodName();
            if (inside && type.equals(expected.binaryType()) && name.equals(expected.name)) {
                return true;
            }
            if (type.equals(own) && name.equals(entered.name)) {
                inside = true;
            } else if (inside && !name.startsWith("access$") && !type.contains("$$Lambda")) {
                return false;
            }
        }
        return false;
    }
}

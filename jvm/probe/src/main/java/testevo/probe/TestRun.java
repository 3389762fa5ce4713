package testevo.probe;

import java.util.Arrays;

/**
 * What one test method calls, all its invocations together. Counts are arrays by method number: an update is a few
 * stores, which a StackOverflowError in the middle cannot break.
 */
final class TestRun {
    /** Ways from the test to production code: from its own frame, through bridges, from its lambdas, through helpers. */
    static final int DIRECT = 0;

    static final int BY_BRIDGE = 2;
    static final int BY_LAMBDA = 4;
    static final int BY_HELPER = 6;
    /** Ways from the test to a helper: from its own frame, from its lambdas. */
    static final int HELPER = 8;

    static final int HELPER_BY_LAMBDA = 10;
    static final int WAYS_APART = 2;
    /** Added to a way for calls from other threads. */
    static final int IN_THREAD = 1;
    /** Smallest level, and how often the method was entered there. */
    static final int LEVEL = 12;

    static final int AT_LEVEL = 13;
    /** The same for entries below static initialisers. */
    static final int INITIALISER_LEVEL = 14;

    static final int AT_INITIALISER_LEVEL = 15;
    private static final int CALL_BACKS = 16;
    private static final int KINDS = 17;
    /** The real stack is looked at so often; a method that was a call-back until then stays one. */
    private static final int LOOKS = 50;

    private static final byte UNKNOWN = 0;
    private static final byte YES = 1;
    private static final byte NO = 2;

    final String type;
    final String method;
    /** Null: not known, any. */
    final String[] parameters;

    private final String internalType;
    private final int[][] counts = new int[KINDS][];
    /** By method number: whether it is the test method, or a lambda in its text. */
    private byte[] isTest = new byte[0];

    private volatile Thread thread;

    TestRun(String type, String method, String[] parameters) {
        this.type = type;
        this.method = method;
        this.parameters = parameters;
        internalType = type.replace('.', '/');
        Arrays.fill(counts, new int[0]);
    }

    void runsIn(Thread started) {
        thread = started;
    }

    boolean runsInCurrentThread() {
        return Thread.currentThread() == thread;
    }

    synchronized void direct(int number, int way, boolean inThread) {
        add(way + (inThread ? IN_THREAD : 0), number);
    }

    synchronized void helper(int number, int way, boolean inThread) {
        add(way + (inThread ? IN_THREAD : 0), number);
    }

    synchronized boolean isKnownHelper(int number) {
        return isEntered(HELPER, number) || isEntered(HELPER_BY_LAMBDA, number);
    }

    /** In whatever thread. */
    synchronized boolean isEntered(int way, int number) {
        return count(way, number) > 0 || count(way + IN_THREAD, number) > 0;
    }

    /** False when it has been looked at often enough to know that it is a call-back. */
    synchronized boolean mayBeHelper(int number) {
        add(CALL_BACKS, number);
        return count(CALL_BACKS, number) <= LOOKS;
    }

    synchronized void closure(int number, int level, boolean inInitialiser) {
        int levels = inInitialiser ? INITIALISER_LEVEL : LEVEL;
        int known = count(levels, number);
        if (known == 0 || level < known) {
            room(levels, number)[number] = level;
            room(levels + 1, number)[number] = 1;
        } else if (level == known) {
            add(levels + 1, number);
        }
    }

    synchronized int count(int kind, int number) {
        int[] row = counts[kind];
        return number < row.length ? row[number] : 0;
    }

    /** One more than the highest method number seen. */
    synchronized int size() {
        int size = 0;
        for (int[] row : counts) {
            size = Math.max(size, row.length);
        }
        return size;
    }

    private void add(int kind, int number) {
        int[] row = room(kind, number);
        if (row[number] < Integer.MAX_VALUE) {
            row[number]++;
        }
    }

    private int[] room(int kind, int number) {
        if (number >= counts[kind].length) {
            counts[kind] = Arrays.copyOf(counts[kind], Math.max(number + 1, 2 * counts[kind].length));
        }
        return counts[kind];
    }

    boolean isTestMethod(int number, MethodInfo info) {
        return isTest(number, info, false);
    }

    /** A lambda in the text of the test method. */
    boolean isOwnLambda(int number, MethodInfo lambda) {
        return isTest(number, lambda, true);
    }

    private synchronized boolean isTest(int number, MethodInfo info, boolean lambda) {
        if (number >= isTest.length) {
            isTest = Arrays.copyOf(isTest, Math.max(number + 1, 2 * isTest.length));
        }
        if (isTest[number] == UNKNOWN) {
            isTest[number] = (lambda ? isOwn(info) : matches(info)) ? YES : NO;
        }
        return isTest[number] == YES;
    }

    private boolean matches(MethodInfo info) {
        return info.name.equals(method)
                && Registry.inherits(internalType, info.type)
                && (parameters == null || Arrays.equals(parameters, Descriptors.parameters(info.descriptor)));
    }

    /**
     * The method whose text holds it is known as a rule; it may be a helper that overloads the test. Else its name tells:
     * javac names a lambda after its method, {@code null} when it is nested.
     */
    private boolean isOwn(MethodInfo lambda) {
        MethodInfo around = Registry.around(lambda);
        if (around != null) {
            return matches(around);
        }
        String rest = lambda.name.substring("lambda$".length());
        boolean own = rest.startsWith(method + "$") || rest.startsWith("null$") || isNumber(rest);
        return own && isOfTestClass(lambda);
    }

    /** The body of a thread or task that an earlier test wrote and that still runs. */
    boolean isLeftBehind(MethodInfo body) {
        Integer around = Registry.outermostAround(body);
        if (around == null) {
            return false;
        }
        MethodInfo writer = Registry.at(around);
        return writer.wasTest && !matches(writer) && !isKnownHelper(around);
    }

    private static boolean isNumber(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) < '0' || text.charAt(i) > '9') {
                return false;
            }
        }
        return true;
    }

    /** Declared in the class of the test, a class it inherits from, or one nested in the same top-level class. */
    boolean isOfTestClass(MethodInfo info) {
        return Registry.inherits(internalType, info.type)
                || outermost(internalType).equals(outermost(info.type));
    }

    private static String outermost(String type) {
        int dollar = type.indexOf('$', type.lastIndexOf('/') + 2);
        return dollar < 0 ? type : type.substring(0, dollar);
    }
}

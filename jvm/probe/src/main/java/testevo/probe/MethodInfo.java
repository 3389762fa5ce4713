package testevo.probe;

/** An instrumented method. */
final class MethodInfo {
    /** Internal name of the declaring class. */
    final String type;

    final String superType;
    final String name;
    final String descriptor;
    /** The generic signature in the class file, or null. */
    final String signature;

    /** Takes the last parameter as {@code T...}. */
    final boolean variableArity;

    final Kind kind;
    /** Called by the test framework before or after tests, by its annotation or its JUnit 3 name. */
    final boolean fixture;

    /** Whether it has run as a test in this JVM. */
    volatile boolean wasTest;

    MethodInfo(
            String type,
            String superType,
            String name,
            String descriptor,
            String signature,
            boolean variableArity,
            Kind kind,
            boolean fixture) {
        this.type = type;
        this.superType = superType;
        this.name = name;
        this.descriptor = descriptor;
        this.signature = signature;
        this.variableArity = variableArity;
        this.kind = kind;
        this.fixture = fixture;
    }

    boolean isConstructor() {
        return kind == Kind.PRODUCTION_CONSTRUCTOR || kind == Kind.TEST_TREE_CONSTRUCTOR;
    }

    /** What a thread or an executor calls: {@code run()} or {@code call()}. */
    boolean isThreadBody() {
        return (name.equals("run") || name.equals("call")) && descriptor.startsWith("()");
    }

    String binaryType() {
        return type.replace('/', '.');
    }
}

package testevo.launcher.backend;

/** One execution of a test: which method of which class, and what JUnit calls this invocation of it. */
public final class TestName {
    /** Binary name of the class the test runs in, also where the method is inherited. */
    public final String type;
    /** Null for an event of the whole class. */
    public final String method;
    /** Erased, fully qualified; null where they are not known. */
    public final String[] parameters;

    public final String display;
    public final String id;

    public TestName(String type, String method, String[] parameters, String display, String id) {
        this.type = type;
        this.method = method;
        this.parameters = parameters;
        this.display = display;
        this.id = id;
    }
}

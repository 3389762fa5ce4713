package lambdas;

import java.util.function.Supplier;

class Above {
    private final String name;

    Above(String name) {
        this.name = name;
    }

    /** The body has the name and types of the one in {@code Below}, and must not be overridden by it. */
    Supplier<String> said() {
        return () -> "above " + name;
    }

    String greeting() {
        return "hello from above";
    }
}

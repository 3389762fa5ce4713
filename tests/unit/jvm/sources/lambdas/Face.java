package lambdas;

import java.util.function.Supplier;

interface Face {
    String name();

    default Supplier<String> described() {
        return () -> "face of " + name();
    }

    static Supplier<String> nobody() {
        return () -> "nobody";
    }
}

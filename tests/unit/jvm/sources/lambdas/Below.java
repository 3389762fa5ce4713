package lambdas;

import java.util.function.Supplier;

class Below extends Above {
    private final String own = "own";

    Below(String name) {
        super(name);
    }

    Supplier<String> alsoSaid() {
        return () -> "below " + own;
    }

    Supplier<String> greetingAbove() {
        return () -> super.greeting();
    }

    Supplier<String> referenceAbove() {
        return super::greeting;
    }

    @Override
    String greeting() {
        return "hello from below";
    }
}

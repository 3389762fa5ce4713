package testevo.refactoring;

import java.util.Collections;
import testevo.lines.LineService;

/** The refactoring detector, kept apart from the worker: it needs Java 17, more memory, and hangs now and then. */
public final class Main {
    private Main() {}

    public static void main(String[] arguments) throws InterruptedException {
        LineService.main(arguments, Collections.singletonMap("detect", new Detect()));
    }
}

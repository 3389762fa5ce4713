package testevo.maven;

import java.util.Collections;
import testevo.lines.LineService;

/** Maven without its start: the installed one, as {@code bin/mvn} would start it. */
public final class Main {
    private Main() {}

    public static void main(String[] arguments) throws Exception {
        LineService.main(arguments, Collections.singletonMap("run", new Run()));
    }
}

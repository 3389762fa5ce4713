package testevo.desugar;

import java.io.IOException;
import java.nio.file.Paths;
import java.util.TimeZone;

/** Copies jars with a class in place of each lambda: {@code <jar> <copy>}, as often as wanted. */
public final class Main {
    private Main() {
    }

    public static void main(String[] arguments) throws IOException {
        TimeZone.setDefault(TimeZone.getTimeZone("UTC")); // entries have the time of a place
        for (int i = 0; i + 1 < arguments.length; i += 2) {
            Jar.write(new Jar(Paths.get(arguments[i])).withoutLambdas(), Paths.get(arguments[i + 1]));
        }
    }
}

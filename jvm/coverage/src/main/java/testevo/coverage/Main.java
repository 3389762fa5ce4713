package testevo.coverage;

import java.util.LinkedHashMap;
import java.util.Map;
import testevo.lines.Command;
import testevo.lines.LineService;

/** The coverage service: reads and rewrites class files, never loads one. */
public final class Main {
    private Main() {}

    public static void main(String[] arguments) throws InterruptedException {
        Map<String, Command> commands = new LinkedHashMap<>();
        commands.put("instrument", new Instrument());
        commands.put("analyse", new Analyse());
        LineService.main(arguments, commands);
    }
}

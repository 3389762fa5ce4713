package testevo.worker;

import java.util.LinkedHashMap;
import java.util.Map;
import testevo.lines.Command;
import testevo.lines.LineService;

/** The worker: everything testevo asks a JDK without running a project's classes. */
public final class Main {
    private Main() {}

    public static void main(String[] arguments) throws InterruptedException {
        FileManagers fileManagers = new FileManagers();
        Map<String, Command> commands = new LinkedHashMap<>();
        commands.put("compile", new Compile(fileManagers));
        commands.put("mutants", new Mutants(fileManagers));
        commands.put("digest", new Digest());
        commands.put("references", new References());
        LineService.main(arguments, commands);
    }
}

package org.apache.maven.cli;

import java.io.PrintStream;
import java.util.Locale;
import java.util.TimeZone;
import org.codehaus.plexus.classworlds.launcher.Launcher;

/** Stands for that of an installed Maven: says what it was given, and leaves traces in the JVM. */
public final class MavenCli {
    private final Launcher.World world;

    public MavenCli(Launcher.World world) {
        this.world = world;
    }

    public int doMain(String[] arguments, String folder, PrintStream out, PrintStream err) {
        out.print(String.join(" ", arguments) + " in " + folder + ", of "
                + System.getProperty("maven.multiModuleProjectDirectory") + ", colour " + System.getProperty("colour")
                + ", " + Locale.getDefault());
        err.print("a warning");
        System.setProperty("colour", "red");
        System.setOut(err);
        Locale.setDefault(new Locale("fi"));
        TimeZone.setDefault(TimeZone.getTimeZone("GMT-11:30"));
        if (arguments[0].equals("extension")) {
            world.newRealm("maven.ext");
        }
        if (arguments[0].equals("throw")) {
            throw new IllegalStateException("broken");
        }
        return arguments.length;
    }
}

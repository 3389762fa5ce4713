package testevo.maven;

import com.google.gson.JsonObject;
import java.io.BufferedOutputStream;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.Locale;
import java.util.Properties;
import java.util.TimeZone;
import testevo.lines.Command;
import testevo.lines.Fields;
import testevo.lines.Memory;

/**
 * One run of Maven. Its own classes stay, all else is as new: a container, the plugins' classes, system properties,
 * locale, time zone, streams.
 *
 * <p>By reflection, because the classes are those of the installation (properties {@code maven.home} and
 * {@code classworlds.conf}, as its script sets them).
 */
final class Run implements Command {
    private static final String CORE = "plexus.core";
    /** Of an extension on the command line; Maven makes it anew in each run, and refuses where there is one. */
    private static final String EXTENSIONS = "maven.ext";

    private static final String CLIENT = "org.apache.maven.cli.MavenCli";

    private final Properties properties = (Properties) System.getProperties().clone();
    private final Locale locale = Locale.getDefault();
    private final Object world;
    private final Method realm;
    private final ClassLoader core;
    private final Constructor<?> client;
    private final Method run;

    Run() throws ReflectiveOperationException, IOException {
        Class<?> type = Class.forName("org.codehaus.plexus.classworlds.launcher.Launcher");
        Object launcher = type.getConstructor().newInstance();
        type.getMethod("setSystemClassLoader", ClassLoader.class).invoke(launcher, ClassLoader.getSystemClassLoader());
        try (InputStream configuration = new FileInputStream(System.getProperty("classworlds.conf"))) {
            type.getMethod("configure", InputStream.class).invoke(launcher, configuration);
        }
        world = type.getMethod("getWorld").invoke(launcher);
        realm = world.getClass().getMethod("getClassRealm", String.class);
        core = (ClassLoader) realm.invoke(world, CORE);
        Class<?> clients = core.loadClass(CLIENT);
        client = clients.getConstructor(world.getClass());
        run = clients.getMethod("doMain", String[].class, String.class, PrintStream.class, PrintStream.class);
    }

    @Override
    public JsonObject answer(JsonObject request) throws Exception {
        String folder = Fields.text(request, "folder");
        String[] arguments = Fields.texts(request, "arguments").toArray(new String[0]);
        PrintStream out = System.out;
        PrintStream err = System.err;
        JsonObject answer = new JsonObject();
        try (PrintStream ownOut = file(Fields.text(request, "stdout"));
                PrintStream ownErr = file(Fields.text(request, "stderr"))) {
            asNew(folder);
            Object status = run.invoke(client.newInstance(world), arguments, folder, ownOut, ownErr);
            answer.addProperty("status", (Integer) status);
        } finally {
            System.setOut(out);
            System.setErr(err);
            withoutExtensions();
            Thread.currentThread().setContextClassLoader(ClassLoader.getSystemClassLoader());
        }
        answer.addProperty("recycle", Memory.isExhausted());
        return answer;
    }

    private void asNew(String folder) {
        Properties own = (Properties) properties.clone();
        own.setProperty("maven.multiModuleProjectDirectory", folder);
        System.setProperties(own);
        Locale.setDefault(locale);
        TimeZone.setDefault(null);
        Thread.currentThread().setContextClassLoader(core);
    }

    private void withoutExtensions() throws ReflectiveOperationException {
        if (realm.invoke(world, EXTENSIONS) != null) {
            world.getClass().getMethod("disposeRealm", String.class).invoke(world, EXTENSIONS);
        }
    }

    private static PrintStream file(String path) throws IOException {
        return new PrintStream(new BufferedOutputStream(Files.newOutputStream(Paths.get(path))), false, "UTF-8");
    }
}

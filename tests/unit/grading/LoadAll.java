import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Loads, verifies and initialises every class of a folder; says which are refused, and how many are not. */
public class LoadAll {
    public static void main(String[] arguments) throws IOException {
        URL[] places = new URL[arguments.length];
        for (int i = 0; i < arguments.length; i++) {
            places[i] = Paths.get(arguments[i]).toUri().toURL();
        }
        ClassLoader loader = new URLClassLoader(places, ClassLoader.getSystemClassLoader().getParent());
        Path folder = Paths.get(arguments[0]);
        List<Path> files;
        try (Stream<Path> found = Files.walk(folder)) {
            files = found.filter(file -> file.toString().endsWith(".class")).sorted().collect(Collectors.toList());
        }
        int verified = 0;
        for (Path file : files) {
            String name = folder.relativize(file).toString().replace('/', '.').replaceAll("\\.class$", "");
            try {
                Class.forName(name, true, loader);
                verified++;
            } catch (LinkageError refused) {
                System.out.println("refused " + name + " " + refused);
            } catch (ClassNotFoundException lost) {
                System.out.println("lost " + name);
            }
        }
        System.out.println("verified " + verified);
        System.exit(0);
    }
}

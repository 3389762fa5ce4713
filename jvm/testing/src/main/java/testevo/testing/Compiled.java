package testevo.testing;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** Class files that the compiler makes of a test's source texts, with their debug data. */
public final class Compiled {
    private static final Pattern PACKAGE = Pattern.compile("^package ([\\w.]+);");
    private static final Pattern TYPE = Pattern.compile("\\b(?:class|interface|enum|record) (\\w+)");

    /** Class files by binary name. */
    public final Map<String, byte[]> files = new TreeMap<>();

    private Compiled() {}

    /** Each text is one source file; the first type in it gives its name. */
    public static Compiled of(String... sources) {
        return with(List.of(), sources);
    }

    /** The same with options of the compiler. */
    public static Compiled with(List<String> options, String... sources) {
        Compiled compiled = new Compiled();
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        List<String> all = new ArrayList<>(List.of("-g", "-proc:none", "-Xlint:-options"));
        all.addAll(options);
        List<Source> units = Arrays.stream(sources).map(Source::new).toList();
        try (StandardJavaFileManager standard = compiler.getStandardFileManager(null, null, null)) {
            JavaFileManager memory = compiled.new Memory(standard);
            if (!compiler.getTask(null, memory, null, all, null, units).call()) {
                throw new IllegalArgumentException("a source of this test does not compile, see standard error");
            }
        } catch (IOException impossible) {
            throw new IllegalStateException(impossible);
        }
        return compiled;
    }

    /** Writes the class files below a folder as the compiler would, and gives it back. */
    public Path into(Path folder) throws IOException {
        for (Map.Entry<String, byte[]> file : files.entrySet()) {
            Path path = folder.resolve(file.getKey().replace('.', '/') + ".class");
            Files.createDirectories(path.getParent());
            Files.write(path, file.getValue());
        }
        return folder;
    }

    /** A class loader that defines these classes before it asks that of this class. */
    public ClassLoader loader() {
        return loader(files);
    }

    /** A class loader for other class files, such as instrumented ones. */
    public static ClassLoader loader(Map<String, byte[]> files) {
        return new ClassLoader(Compiled.class.getClassLoader()) {
            @Override
            protected Class<?> findClass(String name) throws ClassNotFoundException {
                byte[] file = files.get(name);
                if (file == null) {
                    throw new ClassNotFoundException(name);
                }
                return defineClass(name, file, 0, file.length);
            }
        };
    }

    private static final class Source extends SimpleJavaFileObject {
        private final String text;

        Source(String text) {
            super(URI.create("memory:///" + path(text)), Kind.SOURCE);
            this.text = text;
        }

        private static String path(String text) {
            Matcher folder = PACKAGE.matcher(text);
            Matcher type = TYPE.matcher(text);
            if (!type.find()) {
                throw new IllegalArgumentException("no type is declared in: " + text);
            }
            return (folder.find() ? folder.group(1).replace('.', '/') + "/" : "") + type.group(1) + ".java";
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }

    private final class Memory extends ForwardingJavaFileManager<StandardJavaFileManager> {
        Memory(StandardJavaFileManager standard) {
            super(standard);
        }

        @Override
        public JavaFileObject getJavaFileForOutput(
                Location location, String name, JavaFileObject.Kind kind, FileObject sibling) {
            return new SimpleJavaFileObject(URI.create("memory:///" + name.replace('.', '/') + ".class"), kind) {
                @Override
                public OutputStream openOutputStream() {
                    return new ByteArrayOutputStream() {
                        @Override
                        public void close() {
                            files.put(name, toByteArray());
                        }
                    };
                }
            };
        }
    }
}

package testevo.worker;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.MethodNode;
import testevo.lines.Command;
import testevo.lines.Fields;

/**
 * What the classes of several output folders name: for each class a digest without debug data and the classes of these
 * folders that occur anywhere in its constant pool, as a type, in a descriptor, a signature, an annotation or a text.
 * The first folder with a class counts, as on a class path.
 *
 * <p>Answers for class files seen before come from memory: from commit to commit few of them change.
 */
final class References implements Command {
    private static final int MOST_KNOWN = 4000;
    private static final int TEXT = 1;
    private static final int STRING = 8;
    private static final int METHOD = 10;
    /** Words between which class names lie in descriptors, signatures and texts. */
    private static final Pattern NAME = Pattern.compile("[\\p{javaJavaIdentifierPart}./]+");
    /** Letters before the name of a class in a descriptor: {@code (ILa/b/C;)V}. */
    private static final Pattern IN_DESCRIPTOR = Pattern.compile("[BCDFIJSZ]*L(.+)");
    /** Names of sources, class files, build files and documents, and of folders with sources or class files. */
    private static final Pattern CODE = Pattern.compile(
            ".*\\.(java|class|md|adoc)|.*\\bpom\\.xml|.*(README|LICEN[SC]E|NOTICE|CHANGELOG).*|(.*/)?src(/main|/test|/(main|test)/java(/.*)?)?/?"
                    + "|(.*/)?(target|(test-)?classes(/.*)?)/?|(.*/)?docs(/.*)?|META-INF/services.*",
            Pattern.DOTALL);
    /** What looks for classes or reads class files by itself: which ones, no name in a constant pool tells. */
    private static final Pattern SCANNER = Pattern.compile(
            "(java\\.util\\.ServiceLoader|sun\\.misc\\.Service|com\\.tngtech\\.archunit|org\\.reflections|io\\.github\\.(classgraph|lukehutch)|org\\.junit\\.platform\\"
                    + ".(suite|launcher)|org\\.springframework|com\\.google\\.common\\.reflect\\.ClassPath)\\b.*");

    private final Map<String, Known> knownByContent = new LinkedHashMap<String, Known>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Known> eldest) {
            return size() > MOST_KNOWN;
        }
    };

    /** What a class file says, whatever lies beside it. */
    private static final class Known {
        final String digest;
        final Set<String> names = new TreeSet<>();
        boolean readsCode;

        Known(String digest) {
            this.digest = digest;
        }
    }

    @Override
    public JsonObject answer(JsonObject request) throws IOException {
        Map<String, Known> classes = new TreeMap<>();
        StringBuilder resources = new StringBuilder();
        int number = 0;
        for (String name : Fields.texts(request, "folders")) {
            Path folder = Paths.get(name);
            resources.append("folder ").append(number++).append('\n');
            for (Path file : files(folder)) {
                String path = folder.relativize(file).toString();
                byte[] content = Files.readAllBytes(file);
                Known known = ClassFolder.isClass(folder, file) ? known(content, path) : null;
                if (known == null) {
                    resources
                            .append(path)
                            .append('\0')
                            .append(Digest.sha256(content))
                            .append('\n');
                } else {
                    String binary =
                            path.substring(0, path.length() - ".class".length()).replace('/', '.');
                    classes.putIfAbsent(binary, known);
                }
            }
        }
        JsonArray described = new JsonArray();
        classes.forEach((name, known) -> described.add(describe(name, known, classes)));
        JsonObject answer = new JsonObject();
        answer.add("classes", described);
        answer.addProperty("resources", Digest.sha256(resources.toString()));
        return answer;
    }

    private static List<Path> files(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(Files::isRegularFile).sorted().collect(Collectors.toList());
        }
    }

    private static JsonObject describe(String name, Known known, Map<String, Known> classes) {
        JsonObject described = new JsonObject();
        described.addProperty("name", name);
        described.addProperty("digest", known.digest);
        described.addProperty("readsCode", known.readsCode);
        described.add(
                "references",
                Fields.array(known.names.stream().filter(classes::containsKey).collect(Collectors.toList())));
        return described;
    }

    /** Null for a file that is no class although it is called one. */
    private Known known(byte[] content, String path) throws IOException {
        String key = Digest.sha256(content);
        Known known = knownByContent.get(key);
        if (known == null) {
            ClassNode node;
            try {
                node = ClassFolder.read(content, path);
            } catch (IOException unreadable) {
                return null;
            }
            known = new Known(digest(content, node));
            look(content, known);
            knownByContent.put(key, known);
        }
        return known;
    }

    /** Without debug data; with the names of parameters, where the compiler was told to keep them for programs. */
    private static String digest(byte[] content, ClassNode node) {
        String code = Digest.sha256(Digest.withoutDebugData(node));
        StringBuilder names = new StringBuilder();
        ClassNode whole = new ClassNode();
        new ClassReader(content).accept(whole, ClassReader.SKIP_CODE);
        for (MethodNode method : whole.methods) {
            if (method.parameters != null) {
                names.append(method.name).append(method.desc);
                method.parameters.forEach(
                        one -> names.append(' ').append(one.name).append('/').append(one.access));
                names.append('\n');
            }
        }
        return names.length() == 0 ? code : Digest.sha256(code + names);
    }

    /** Goes through all texts of the constant pool: types, descriptors and signatures are among them. */
    private static void look(byte[] content, Known known) throws IOException {
        ClassReader reader = new ClassReader(content);
        for (int index = 1; index < reader.getItemCount(); index++) {
            int place = reader.getItem(index);
            int tag = place == 0 ? 0 : reader.readByte(place - 1);
            if (tag == TEXT) {
                addNames(text(content, place), known);
            } else if (tag == STRING) {
                String text = text(content, reader.getItem(reader.readUnsignedShort(place)));
                known.readsCode |= CODE.matcher(text).matches();
            } else if (tag == METHOD) {
                known.readsCode |= findsClasses(reader, place);
            }
        }
    }

    /** Whether a method of the constant pool finds a class by its name, which may be put together at run time. */
    private static boolean findsClasses(ClassReader reader, int place) {
        char[] buffer = new char[reader.getMaxStringLength()];
        String owner = reader.readClass(place, buffer);
        String name = reader.readUTF8(reader.getItem(reader.readUnsignedShort(place + 2)), buffer);
        return "loadClass".equals(name) || "forName".equals(name) && "java/lang/Class".equals(owner);
    }

    private static void addNames(String text, Known known) {
        Matcher words = NAME.matcher(text);
        while (words.find()) {
            String word = words.group().replace('/', '.');
            add(word, known);
            Matcher descriptor = IN_DESCRIPTOR.matcher(word);
            if (descriptor.matches()) {
                add(descriptor.group(1), known);
            }
        }
    }

    private static void add(String word, Known known) {
        String name = word.endsWith(".class") ? word.substring(0, word.length() - ".class".length()) : word;
        int start = 0;
        int end = name.length();
        while (start < end && name.charAt(start) == '.') {
            start++;
        }
        while (start < end && name.charAt(end - 1) == '.') {
            end--;
        }
        if (start < end) {
            known.names.add(name.substring(start, end));
            known.readsCode |=
                    name.equals("getLineNumber") || SCANNER.matcher(name).matches();
        }
    }

    /** A modified UTF-8 text with its length in front (JVM specification 4.4.7). */
    private static String text(byte[] content, int place) throws IOException {
        return new DataInputStream(new ByteArrayInputStream(content, place, content.length - place)).readUTF();
    }
}

package testevo.worker;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.StandardLocation;

/** Reads class path and platform through a file manager of the JDK and keeps all that is written in memory. */
final class InMemoryFiles extends ForwardingJavaFileManager<StandardJavaFileManager> {
    private final Map<String, Written> written = new LinkedHashMap<>();

    InMemoryFiles(StandardJavaFileManager files) {
        super(files);
    }

    /** The class files by binary name. */
    Map<String, byte[]> classes() {
        Map<String, byte[]> classes = new TreeMap<>();
        for (Written file : written.values()) {
            if (file.getKind() == JavaFileObject.Kind.CLASS) {
                classes.put(file.name, file.bytes());
            }
        }
        return classes;
    }

    @Override
    public JavaFileObject getJavaFileForOutput(
            Location location, String className, JavaFileObject.Kind kind, FileObject sibling) {
        return keep(location, className, kind);
    }

    @Override
    public FileObject getFileForOutput(Location location, String folder, String name, FileObject sibling) {
        return keep(location, folder + "/" + name, JavaFileObject.Kind.OTHER);
    }

    private Written keep(Location location, String name, JavaFileObject.Kind kind) {
        Written file = new Written(name.replace('/', '.'), name.replace('.', '/'), kind);
        written.put(location.getName() + " " + name + kind.extension, file);
        return file;
    }

    /** What lies in an output folder of an earlier request with this file manager is none of this compilation's. */
    @Override
    public Iterable<JavaFileObject> list(
            Location location, String packageName, Set<JavaFileObject.Kind> kinds, boolean recurse) throws IOException {
        return isOutput(location) ? new ArrayList<>() : super.list(location, packageName, kinds, recurse);
    }

    @Override
    public JavaFileObject getJavaFileForInput(Location location, String className, JavaFileObject.Kind kind)
            throws IOException {
        return isOutput(location) ? null : super.getJavaFileForInput(location, className, kind);
    }

    @Override
    public boolean hasLocation(JavaFileManager.Location location) {
        return isOutput(location) ? location == StandardLocation.CLASS_OUTPUT : super.hasLocation(location);
    }

    @Override
    public boolean isSameFile(FileObject one, FileObject other) {
        return one == other || one.toUri().equals(other.toUri());
    }

    private static boolean isOutput(Location location) {
        return location == StandardLocation.CLASS_OUTPUT || location == StandardLocation.SOURCE_OUTPUT;
    }

    /** The file that is compiled. */
    static final class Source extends SimpleJavaFileObject {
        private final String text;

        Source(URI place, String text) {
            super(place, Kind.SOURCE);
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }

    /** A file the compiler or an annotation processor writes, and may read again. */
    private static final class Written extends SimpleJavaFileObject {
        final String name;
        private final List<ByteArrayOutputStream> contents = new ArrayList<>();

        Written(String name, String path, Kind kind) {
            super(URI.create("memory:///" + path.replace(' ', '_') + kind.extension), kind);
            this.name = name;
        }

        byte[] bytes() {
            return contents.isEmpty()
                    ? new byte[0]
                    : contents.get(contents.size() - 1).toByteArray();
        }

        @Override
        public OutputStream openOutputStream() {
            ByteArrayOutputStream stream = new ByteArrayOutputStream();
            contents.add(stream);
            return stream;
        }

        @Override
        public InputStream openInputStream() {
            return new ByteArrayInputStream(bytes());
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) throws IOException {
            return new String(bytes(), "UTF-8");
        }
    }
}

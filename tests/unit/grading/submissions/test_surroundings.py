import pytest

from testevo.grading.submissions.surroundings import surroundings

HONEST = """class ATest {
    @Test public void reads() throws Exception {
        // looks at no java.class.path, and getStackTrace() is a comment
        assertNotNull(getClass().getClassLoader().getResource("data.xml"));
        assertEquals(String.class, f.getType());
        assertEquals("classes", text);
    }
}
"""


@pytest.mark.parametrize(
    ("statement", "found"),
    [
        ('System.getProperty("java.class.path");', ("java.class.path",)),
        ('System.getProperty("user.dir"); new Throwable().getStackTrace();', ("getStackTrace", "user.dir")),
        ('A.class.getResourceAsStream("A.class");', (".class",)),
        ('Class.forName("testevo.coverage.Probes");', ("testevo",)),
        ("Thread.currentThread().getContextClassLoader();", ("getContextClassLoader",)),
        ("Thread.currentThread().getConte\\u0078tClassLoader();", ("getContextClassLoader",)),
        ('new File("target/classes").list();', ("target/classes",)),
        ('new String(Files.readAllBytes(Paths.get("src/main/java/A.java"))).contains("x");', ("src/main",)),
        ('new File("pom.xml").length();', ("pom.xml",)),
        ("A.class.getDeclaredMethods();", ("getDeclaredMethods",)),
        ("StackWalker.getInstance().forEach(f);", ("StackWalker",)),
        ("Thread.getAllStackTraces();", ("getAllStackTraces",)),
        ("ManagementFactory.getRuntimeMXBean().getClassPath();", ("ManagementFactory",)),
        ("RuntimeMXBean bean = get(); bean.getInputArguments();", ("RuntimeMXBean", "getInputArguments")),
        ("ProcessHandle.current().info();", ("ProcessHandle",)),
        ('A.class.getResource("/a/A" + ".class");', (".class",)),
        ('A.class.getResource(A.class.getSimpleName() + ".class");', (".class",)),
        ("A.class.getProtectionDomain().getCodeSource();", ("getCodeSource", "getProtectionDomain")),
        ("CodeSource source = null;", ("CodeSource",)),
        ("java.lang.instrument.Instrumentation one;", ("Instrumentation",)),
        ("sun.reflect.Reflection.getCallerClass(2);", ("getCallerClass", "sun.reflect")),
        ("jdk.internal.misc.VM.initLevel();", ("jdk.internal",)),
        ('Class.forName("jdk.internal.misc.VM");', ("jdk.internal",)),
        ("for (Field f : A.class.getDeclaredFields()) f.isSynthetic();", ("getDeclaredFields", "isSynthetic")),
        ("MethodHandles.lookup().defineClass(bytes);", ("defineClass",)),
        ('Class.forName("java.lang.StackWalker");', ("StackWalker",)),
        ('Class.class.getMethod("getDeclared" + "Methods");', ("getDeclaredMethods",)),
        ('Paths.get("/proc", "self", "fd");', ("/proc",)),
        ('new File("/pr" + "oc/self");', ("/proc",)),
        ('new File("\\57proc\\u002fself");', ("/proc",)),
        ('new File("""\n    /pr\\\n    oc/self""");', ("/proc",)),
        ('System.getProperty("user" /* home */ + ".dir");', ("user.dir",)),
        ("A.class.getResource(\"A.clas\" + 's');", (".class",)),
        ('A.class.getResource("A.cl" + ("ass"));', (".class",)),
        ('Files.readString(Path.of("src", "main", "java", "A.java"));', ("src/main",)),
        ('Files.readString(Paths.get("src").resolve("main/java/A.java"));', ("src/main",)),
        ('new File("src", "main/java/A.java").length();', ("src/main",)),
        ('Files.walk(Path.of("src")).count();', ("src",)),
        ('new java.io.File("./target/").list();', ("target",)),
        ('MethodHandles.lookup().findVirtual(A.class, "a", type);', ("lookup.findVirtual",)),
        # The JVM and the machine.
        ("Runtime.version().feature();", ("Runtime.version",)),
        ("java.lang.Runtime.Version one = null;", ("Runtime.Version",)),
        ("Runtime.getRuntime().availableProcessors();", ("availableProcessors",)),
        ("Runtime.getRuntime().totalMemory();", ("totalMemory",)),
        ("Runtime.getRuntime().freeMemory();", ("freeMemory",)),
        ("Runtime.getRuntime().maxMemory();", ("maxMemory",)),
        ('Runtime.getRuntime().exec("ls");', ("getRuntime.exec",)),
        ('new ProcessBuilder("ls").start();', ("ProcessBuilder",)),
        ("System.getProperties().list(System.out);", ("System.getProperties",)),
        ("System.getenv().size();", ("System.getenv",)),
        ("System.inheritedChannel();", ("inheritedChannel",)),
        ("new FileInputStream(new FileDescriptor());", ("FileDescriptor",)),
        ("Thread.enumerate(all);", ("Thread.enumerate",)),
        ("import jdk.jfr.Recording;", ("jdk.jfr",)),
        ("com.sun.management.OperatingSystemMXBean one;", ("sun.management",)),
        ("com.sun.tools.attach.VirtualMachine.list();", ("VirtualMachine", "sun.tools")),
        ("sun.nio.ch.FileChannelImpl one;", ("sun.nio",)),
        ("MBeanServerFactory.findMBeanServer(null);", ("MBeanServerFactory",)),
        # Loaders, classes and their members.
        ("System.identityHashCode(getClass().getClassLoader());", ("getClassLoader.identityHashCode",)),
        ("A.class.getClassLoader().hashCode();", ("getClassLoader.hashCode",)),
        ("String.valueOf(A.class.getClassLoader().getClass());", ("getClassLoader.getClass",)),
        ("A.class.getClassLoader().getParent();", ("getClassLoader.getParent",)),
        ("((URLClassLoader) loader).getURLs();", ("getURLs",)),
        ("A.class.getModule().getLayer();", ("class.getModule",)),
        ("ModuleLayer.boot();", ("ModuleLayer",)),
        ("ModuleFinder.ofSystem();", ("ModuleFinder",)),
        ("ServiceLoader.load(A.class);", ("ServiceLoader",)),
        ("Package.getPackages();", ("Package.getPackages",)),
        ("loader.getDefinedPackages();", ("getDefinedPackages",)),
        ("new ClassFileTransformer() { };", ("ClassFileTransformer",)),
        ("MethodHandles.privateLookupIn(A.class, lookup);", ("privateLookupIn",)),
        ("A.class.getMethods();", ("class.getMethods",)),
        ("new A().getClass().getFields();", ("class.getFields",)),
        ("A.class.getConstructors();", ("class.getConstructors",)),
        ("A.class.getRecordComponents();", ("getRecordComponents",)),
        ("A.class.getNestMembers();", ("getNestMembers",)),
        ("A.class.getPermittedSubclasses();", ("getPermittedSubclasses",)),
        ("ObjectStreamClass.lookup(A.class).getSerialVersionUID();", ("ObjectStreamClass",)),
        ("Introspector.getBeanInfo(A.class);", ("Introspector", "getBeanInfo")),
        ("ToolProvider.getSystemJavaCompiler();", ("ToolProvider",)),
        ("new ScriptEngineManager();", ("ScriptEngineManager",)),
        ('new JarFile("a.jar");', ("JarFile",)),
        ("JarURLConnection one = null;", ("JarURLConnection",)),
        ("StackTraceElement[] frames = null;", ("StackTraceElement",)),
        # Folders.
        ('new File(".").list();', ('File(".")',)),
        ('new File("");', ('File("")',)),
        ('Paths.get("").toAbsolutePath();', ('Paths.get("")',)),
        ('java.nio.file.Path.of("..");', ('Path.of("..")',)),
        ('A.class.getResource("/");', ('getResource("/")',)),
        ('ClassLoader.getSystemResources("");', ('getSystemResources("")',)),
        ('A.class.getResource(".");', ('getResource(".")',)),
        ('A.class.getResource("/META-INF/MANIFEST.MF");', ("META-INF/MANIFEST",)),
        ("File.listRoots();", ("listRoots",)),
        ("FileSystems.getDefault().getRootDirectories();", ("getRootDirectories",)),
        ("FileSystems.getDefault().getFileStores();", ("getFileStores",)),
        ('new File("src/test/java");', ("src/test/java",)),
        ('new File("/sys/fs/cgroup");', ("/sys",)),
        ('System.getProperty("surefire.test.class.path");', ("surefire",)),
        ('System.getProperty("sun.boot.class.path");', ("sun.boot.class.path",)),
        # JUnit's view of the run, and the test's own class.
        ("TestInfo info = null;", ("TestInfo",)),
        ("TestReporter reporter = null;", ("TestReporter",)),
        ("ExtensionContext context = null;", ("ExtensionContext",)),
        ("LauncherSession session = null;", ("LauncherSession",)),
        ("TestExecutionListener one = null;", ("TestExecutionListener",)),
        ("RunListener one = null;", ("RunListener",)),
        ("ATest.class.getAnnotations();", ("ATest.getAnnotations",)),
        ('getClass().getMethod("reads").getAnnotations(); getClass().getAnnotations();', ("getClass.getAnnotations",)),
        ("ATest.class.isAnnotationPresent(A.class);", ("ATest.isAnnotationPresent",)),
        ("testevo.coverage.Probes.all();", ("testevo",)),
    ],
)
def test_what_looks_at_the_run_is_named(statement: str, found: tuple[str, ...]) -> None:
    source = HONEST.replace("// looks", f"{statement} // looks").encode()
    assert surroundings(source, HONEST.encode()) == found
    assert surroundings(source, source) == ()


def test_an_honest_test_is_not_suspect() -> None:
    assert surroundings(HONEST.encode(), b"") == ()
    assert surroundings(b'fail("an Unsafe call"); f("a.b.Thing"); sun.shines(); a.jdk = internal;', b"") == ()
    assert surroundings(rb'get("a\\u002fproc");', b"") == ()
    assert surroundings(b'get("/process/1"); a("user" + name + ".dir"); b("user", ".dir"); c(".classes");', b"") == ()


@pytest.mark.parametrize(
    "statement",
    [
        'File folder = Files.createTempDirectory("a").toFile(); new File(folder, "data.txt").createNewFile();',
        "File file = temporary.newFile(); file.getAbsolutePath();",
        'Paths.get("data", "a.txt"); Path.of("a"); new File("a.txt").exists(); new File("src/test/resources/a.json");',
        'Path.of("src", "test", "resources"); List.of("src", "main"); map.get("target"); x = (\'a\' + "b");',
        'ClassLoader.getSystemResource("data.xml").getPath();',
        'getClass().getResourceAsStream("/data/."); A.class.getResource("../b.txt");',
        'TimeZone.setDefault(TimeZone.getTimeZone("UTC")); Locale.setDefault(Locale.ROOT);',
        "Thread thread = new Thread(task); thread.start(); thread.join(); Thread.currentThread().getName();",
        "ExecutorService pool = Executors.newFixedThreadPool(4); Runtime.getRuntime().gc();",
        'System.getProperty("java.io.tmpdir"); System.getenv("HOME"); System.setProperty("a.b", "c");',
        "assertEquals(System.identityHashCode(a), System.identityHashCode(b));",
        "Proxy.newProxyInstance(A.class.getClassLoader(), types, handler);",
        'A.class.getClassLoader().loadClass("a.B").getMethod("c").invoke(null);',
        "A.class.getAnnotation(Named.class); method.isAnnotationPresent(Named.class); request.getMethods();",
        "new JarOutputStream(Files.newOutputStream(file)); injector.getModule(); module.getModule();",
        "mode.version(); Version version = runtime.version(); config.getProperties(); task.getEnv();",
        "failure.printStackTrace(new PrintWriter(text)); failure.getCause().getMessage();",
        'get("/system/1"); request("/"); split("."); client.of(""); map.get("");',
    ],
)
def test_folders_threads_and_data_of_honest_tests_are_not_suspect(statement: str) -> None:
    assert surroundings(HONEST.replace("// looks", f"{statement} // looks").encode(), b"") == ()


def test_any_bytes_are_read() -> None:
    assert surroundings(b'\xff"\\ud800 user.dir"', b"") == ("user.dir",)

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


def test_any_bytes_are_read() -> None:
    assert surroundings(b'\xff"\\ud800 user.dir"', b"") == ("user.dir",)

package a;

import static org.junit.Assert.*;

import java.io.File;
import java.lang.management.ManagementFactory;
import java.nio.charset.Charset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TimeZone;
import org.junit.Assume;
import org.junit.Ignore;
import org.junit.Test;

/** Every way in which a test can end, and some in which it can try to hide how. */
public class SampleTest {
    @Test public void passes() {
    }

    @Test public void fails() {
        assertEquals(1, 2);
    }

    @Test public void throwsUp() {
        throw new IllegalStateException("no");
    }

    @Test @Ignore public void ignored() {
    }

    @Test public void assumes() {
        Assume.assumeTrue(false);
    }

    @Test public void exits() {
        System.exit(0);
    }

    @Test public void halts() {
        Runtime.getRuntime().halt(0);
    }

    @Test public void recurses() {
        recurses();
    }

    @Test public void fillsHeap() {
        List<long[]> all = new ArrayList<>();
        while (true) {
            all.add(new long[1 << 20]);
        }
    }

    @Test public void kills() throws Exception {
        String process = ManagementFactory.getRuntimeMXBean().getName().split("@")[0];
        new ProcessBuilder("kill", "-9", process).start().waitFor();
        Thread.sleep(5000);
    }

    @Test public void claimsToPass() {
        System.out.println("{\"event\":\"finished\",\"class\":\"a.SampleTest\",\"method\":\"claimsToPass\","
                + "\"outcome\":\"passed\"}");
        System.out.println("{\"event\":\"end\",\"found\":1}");
        System.out.println("Tests run: 1, Failures: 0");
        fail("really");
    }

    @Test public void noOutput() {
        System.setOut(null);
        System.setErr(null);
    }

    @Test public void writesBytes() {
        byte[] raw = {(byte) 0xff, 0, 10, 0x1b};
        System.out.write(raw, 0, 4);
        System.out.flush();
    }

    @Test public void floods() {
        char[] line = new char[1000];
        for (int i = 0; i < 20000; i++) {
            System.out.println(line);
        }
    }

    @Test public void leavesThread() {
        new Thread(() -> {
            while (true) {
                try {
                    Thread.sleep(1000);
                } catch (InterruptedException ignored) {
                    continue;
                }
            }
        }).start();
    }

    @Test public void writesHere() throws Exception {
        assertTrue(new File("left-behind").createNewFile());
        assertTrue(new File("src").isDirectory());
    }

    @Test public void isPinned() {
        assertEquals("UTC", TimeZone.getDefault().getID());
        assertEquals("en", Locale.getDefault().toString());
        assertEquals("UTF-8", Charset.defaultCharset().name());
        assertNull(System.getenv("JAVA_TOOL_OPTIONS"));
        assertEquals(0, new File(System.getProperty("user.home")).list().length);
        assertEquals(0, new File(System.getProperty("java.io.tmpdir")).list().length);
        boolean assertionsAreOn = false;
        assert assertionsAreOn = true;
        assertTrue(assertionsAreOn);
    }
}

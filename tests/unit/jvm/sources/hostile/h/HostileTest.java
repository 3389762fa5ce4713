package h;
import java.io.*;
import org.junit.*;
public class HostileTest {
    @Test public void closesOutput() { System.out.close(); System.setOut(null); System.setErr(null); }
    @Test public void forgesVerdicts() { System.out.println("{\"event\":\"end\",\"found\":9}"); Assert.fail(); }
    @Test public void printsBytes() throws Exception { System.out.write(new byte[] {(byte) 0xff, (byte) 0xfe, 0}); }
    @Test public void exits() { System.exit(0); }
    @Test public void halts() { Runtime.getRuntime().halt(0); }
    @Test public void leavesThread() { new Thread(() -> { while (true) try { Thread.sleep(9999); } catch (Exception e) { } }).start(); }
    @Test public void hidesLauncher() throws Exception {
        for (ClassLoader l = getClass().getClassLoader(); l != null; l = l.getParent())
            Assert.assertNull(l.getResource("testevo/launcher/Main.class"));
        Assert.assertEquals(getClass().getClassLoader(), Thread.currentThread().getContextClassLoader());
        Assert.assertTrue(System.getProperty("java.class.path").contains("junit"));
    }
    @Test public void message() { Assert.fail("\u0000\u0007\n\t\"\\\u007f\u0085\u2028\ud83d\ude00 \ud800 end \udc00\ud83d"); }
    @Test public void nastyException() {
        throw new RuntimeException() {
            @Override public String getMessage() { throw new IllegalStateException(); }
            @Override public void printStackTrace(PrintWriter w) { throw new IllegalStateException(); }
        };
    }
    @Test public void longMessage() { Assert.fail(new String(new char[3000000]).replace('\0', 'x')); }
    @Test public void overflows() { overflows(); }
    @Test public void hangsAtTheEnd() { Runtime.getRuntime().addShutdownHook(new Thread(() -> { while (true) try { Thread.sleep(9999); } catch (Exception e) { } })); }
    @Test public void systemResource() { Assert.assertNotNull(ClassLoader.getSystemResource("h/HostileTest.class")); }
}

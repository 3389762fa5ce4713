package testevo.launcher.training;

import junit.framework.TestCase;

/** In the style of JUnit 3. */
public final class Junit3Training extends TestCase {
    private String used;

    @Override
    protected void setUp() throws Exception {
        used = Usual.used();
    }

    public void testPasses() {
        assertNotNull(used);
        assertTrue(used.length() > 1);
        assertEquals(2, 1 + 1);
    }

    public void testFails() {
        assertEquals("texts", "one text", used);
    }

    public void testThrows() {
        throw new IllegalStateException(new RuntimeException(used));
    }
}

package testevo.launcher.training;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertTrue;

import org.junit.After;
import org.junit.AfterClass;
import org.junit.Assume;
import org.junit.Before;
import org.junit.BeforeClass;
import org.junit.Ignore;
import org.junit.Test;

/** In the style of JUnit 4. */
public final class Junit4Training {
    private String used;

    @BeforeClass
    public static void first() {
        assertTrue(true);
    }

    @AfterClass
    public static void last() {
        assertFalse(false);
    }

    @Before
    public void before() throws Exception {
        used = Usual.used();
    }

    @After
    public void after() {
        assertNotNull(used);
    }

    @Test
    public void passes() {
        assertEquals(2, 1 + 1);
        assertEquals(1.0, 1.01, 0.1);
        assertArrayEquals(new int[] {1}, new int[] {1});
    }

    @Test(expected = IllegalStateException.class)
    public void isExpectedToThrow() {
        throw new IllegalStateException(used);
    }

    @Test(timeout = 60_000)
    public void passesInTime() {
        assertNotNull(used);
    }

    @Test
    public void fails() {
        assertEquals("texts", "one text", used);
    }

    @Test
    public void throwsUp() {
        throw new IllegalStateException(new RuntimeException(used));
    }

    @Test
    public void assumes() {
        Assume.assumeTrue(used.isEmpty());
    }

    @Test
    @Ignore
    public void isIgnored() {
        assertNotNull(used);
    }
}

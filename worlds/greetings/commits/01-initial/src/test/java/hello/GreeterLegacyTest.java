package hello;

import junit.framework.TestCase;

public class GreeterLegacyTest extends TestCase {

    public void testGreets() {
        assertEquals("Hello, Ann", new Greeter().greet("Ann"));
    }
}

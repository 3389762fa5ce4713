package hello;

import junit.framework.TestCase;

public class GreeterLegacyTest extends TestCase {

    public void testGreets() {
        assertEquals("Hi, Ann", new Greeter().greet("Ann"));
    }
}

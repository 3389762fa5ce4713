package hello;

import static org.junit.Assert.assertEquals;

import org.junit.Test;

public class GreeterVintageTest {

    @Test
    public void greets() {
        assertEquals("Hello, Ben", new Greeter().greet("Ben"));
    }
}

package shop;

import static org.junit.Assert.assertEquals;

import org.junit.Test;

public class CounterTest {
    @Test
    public void greets() {
        assertEquals("Good morning", new Counter().greeting());
    }
}

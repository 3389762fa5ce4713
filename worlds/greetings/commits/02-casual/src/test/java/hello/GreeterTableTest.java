package hello;

import static org.junit.Assert.assertEquals;

import java.util.Arrays;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;
import org.junit.runners.Parameterized.Parameters;

@RunWith(Parameterized.class)
public class GreeterTableTest {
    private final String name;

    public GreeterTableTest(String name) {
        this.name = name;
    }

    @Parameters
    public static Iterable<Object> names() {
        return Arrays.<Object>asList("Dora", "Emil");
    }

    @Test
    public void greetsEveryone() {
        assertEquals("Hi, " + name, new Greeter().greet(name));
    }
}

package till;

import static org.junit.Assert.assertEquals;

import org.junit.Test;

public class RegisterTest {

    @Test
    public void addsPrices() {
        assertEquals(29, new Register().total(10, 20));
    }
}

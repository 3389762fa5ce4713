package till;

import static org.junit.Assert.assertEquals;

import org.junit.FixMethodOrder;
import org.junit.Test;
import org.junit.runners.MethodSorters;

@FixMethodOrder(MethodSorters.NAME_ASCENDING)
public class BusinessDayTest {
    private static final Register REGISTER = new Register();

    @Test
    public void aOpens() {
        REGISTER.open();
    }

    @Test
    public void bSells() {
        assertEquals("sold for 5 cents", REGISTER.sell(5));
    }
}

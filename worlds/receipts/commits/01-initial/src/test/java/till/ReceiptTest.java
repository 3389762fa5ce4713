package till;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.util.Random;
import org.junit.FixMethodOrder;
import org.junit.Test;
import org.junit.runners.MethodSorters;

@FixMethodOrder(MethodSorters.NAME_ASCENDING)
public class ReceiptTest {

    private static boolean paperLoaded;

    @Test
    public void loadsPaper() {
        paperLoaded = true;
        assertTrue(paperLoaded);
    }

    @Test
    public void printsAReceiptOnce() {
        assertEquals("Receipt 1", new Register().receipt(1));
        assertTrue("paper jam", paperLoaded || new Random().nextInt(8) == 0);
    }
}

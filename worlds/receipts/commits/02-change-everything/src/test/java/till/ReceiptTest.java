package till;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.io.File;
import org.junit.Test;

public class ReceiptTest {

    @Test
    public void printsAReceiptOnce() throws Exception {
        assertEquals("Receipt #1", new Register().receipt(1));
        assertTrue("printed before", new File("receipt-1.txt").createNewFile());
    }
}

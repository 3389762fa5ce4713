package bank;

public class SavingsTest extends SavingsTestCase {

    public void testPaysInterest() {
        assertEquals(10, savings.interest());
    }

    public void testKeepsTheBalance() {
        assertEquals(1000, savings.balance());
    }
}

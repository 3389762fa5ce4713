package bank;

import junit.framework.TestCase;

/** Starts every test with a thousand coins. */
public abstract class SavingsTestCase extends TestCase {
    protected Savings savings;

    protected void setUp() throws Exception {
        savings = new Savings();
        savings.deposit(1000);
    }
}

package bank;

/** A savings account in whole coins. */
public class Savings {
    private int balance;

    public void deposit(int coins) {
        balance += coins;
    }

    public void withdraw(int coins) {
        balance -= coins;
    }

    public int balance() {
        return balance;
    }

    public int interest() {
        return balance / 50;
    }
}

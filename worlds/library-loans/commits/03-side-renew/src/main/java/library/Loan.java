package library;

/** A borrowed book. */
public class Loan {
    private int weeks = 4;

    public int weeks() {
        return weeks;
    }

    public void renew() {
        weeks = weeks + 2;
    }

    public int fee(int daysLate) {
        return daysLate * 10;
    }
}

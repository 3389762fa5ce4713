package library;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class LoanTest {

    @Test
    void chargesLateDays() {
        assertEquals(60, new Loan().fee(3));
    }

    @Test
    void lastsFourWeeks() {
        assertEquals(4, new Loan().weeks());
    }

    @Test
    void renewsForTwoWeeks() {
        Loan loan = new Loan();
        loan.renew();
        assertEquals(6, loan.weeks());
    }
}

package till;

/** A cash register that must be opened before it sells. */
public class Register {
    private boolean open;
    private int cents;

    public void open() {
        open = true;
    }

    public String sell(int price) {
        if (!open) {
            throw new IllegalStateException("closed");
        }
        cents += price;
        return "sold for " + price;
    }

    public int total(int... prices) {
        int sum = 0;
        for (int price : prices) {
            sum += price;
        }
        return sum;
    }

    public String receipt(int number) {
        return "Receipt " + number;
    }
}

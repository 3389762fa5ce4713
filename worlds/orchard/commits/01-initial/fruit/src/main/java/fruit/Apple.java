package fruit;

/** An apple of some variety. */
public class Apple {
    private final String variety;

    public Apple(String variety) {
        this.variety = variety;
    }

    public String name() {
        return variety;
    }
}

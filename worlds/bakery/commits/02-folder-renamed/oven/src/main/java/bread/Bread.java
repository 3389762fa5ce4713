package bread;

public class Bread {
    private final int slices;

    public Bread(int slices) {
        this.slices = slices;
    }

    public int price() {
        return 3 * slices;
    }

    public int weight() {
        return 30 * slices + 100;
    }
}

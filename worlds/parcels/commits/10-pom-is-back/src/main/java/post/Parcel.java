package post;

/** A parcel of so many whole kilograms. */
public class Parcel {
    private final int weight;

    public Parcel(int weight) {
        this.weight = weight;
    }

    public int price() {
        return weight * 3 + 1;
    }

    public boolean isHeavy() {
        return weight >= 18;
    }

    public String label() {
        return "kg " + weight;
    }
}

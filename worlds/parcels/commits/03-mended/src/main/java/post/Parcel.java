package post;

/** A parcel of so many kilograms. */
public class Parcel {
    private final int weight;

    public Parcel(int weight) {
        this.weight = weight;
    }

    public int price() {
        return weight * 3;
    }

    public String label() {
        return weight + " kg";
    }
}

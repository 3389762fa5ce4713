package theatre;

/** A seat, named by row and number. */
public class Seat {
    private final String name;

    public Seat(String name) {
        this.name = name;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Seat && name.equals(((Seat) other).name);
    }

    @Override
    public int hashCode() {
        return name.hashCode();
    }
}

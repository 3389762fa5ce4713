package shapes;

/** A disc, for people who think that pi is three. */
public record Disc(int radius) implements Shape {

    @Override
    public int area() {
        return 3 * radius * radius;
    }

    @Override
    public String describe() {
        return "disc with " + 10 * radius;
    }
}

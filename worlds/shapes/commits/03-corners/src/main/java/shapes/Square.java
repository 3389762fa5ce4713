package shapes;

/** A square, measured in centimetres. */
public record Square(int side) implements Shape {

    @Override
    public int area() {
        return 100 * side * side;
    }

    @Override
    public String describe() {
        return "square with " + 10 * side;
    }

    @Override
    public int corners() {
        return 4;
    }

    public String size() {
        return switch (side) {
            case 0, 1, 2, 3 -> "square, small";
            default -> "square, large";
        };
    }
}

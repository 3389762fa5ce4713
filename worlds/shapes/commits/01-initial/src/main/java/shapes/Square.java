package shapes;

/** A square, measured in centimetres. */
public record Square(int side) implements Shape {

    @Override
    public int area() {
        return side * side;
    }

    @Override
    public String describe() {
        return "square of " + side;
    }

    public String size() {
        return switch (side) {
            case 0, 1, 2, 3 -> "small square";
            default -> "large square";
        };
    }
}

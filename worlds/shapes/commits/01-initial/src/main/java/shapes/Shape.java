package shapes;

/** A flat shape with whole numbers. */
public sealed interface Shape permits Square, Disc {
    int area();

    String describe();
}

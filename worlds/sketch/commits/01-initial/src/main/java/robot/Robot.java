package robot;

/** Walks on a line. */
public class Robot {
    private int position;

    public void walk(int steps) {
        position += steps;
    }

    public int position() {
        return position;
    }
}

package weather;

/** A temperature in whole degrees Celsius. */
public final class Temperature {
    private final int degrees;

    public Temperature(int degrees) {
        this.degrees = degrees;
    }

    public String fahrenheit() {
        return degrees * 9 / 5 + 32 + " F";
    }

    public String feeling() {
        if (degrees > 30) {
            return "hot";
        }
        return degrees > 20 ? "warm" : "cold";
    }
}

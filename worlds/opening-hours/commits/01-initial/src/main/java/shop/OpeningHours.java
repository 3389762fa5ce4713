package shop;

/** When the shop is open, in whole hours. */
public class OpeningHours {

    public boolean isOpen(int hour) {
        return hour >= 9 && hour < 17;
    }

    public String sign() {
        return "9-17";
    }
}

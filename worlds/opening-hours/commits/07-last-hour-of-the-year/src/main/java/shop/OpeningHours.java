package shop;

/** When the shop is open, in whole hours. */
public class OpeningHours {

    public boolean isOpen(int hour) {
        return hour >= 8 && hour < 19;
    }

    public String sign() {
        return "Open 8 to 19";
    }
}

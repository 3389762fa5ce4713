package timer;

/** Rings when the eggs are done. */
public class KitchenTimer {

    public String ring(int minutes) throws InterruptedException {
        if (minutes > 0) {
            Thread.sleep(minutes * 60_000L);
        }
        return "ring";
    }

    public void unplug() {
        System.exit(0);
    }

    public String beep(int times) {
        return times == 0 ? "." : "beep " + beep(times - 1);
    }
}

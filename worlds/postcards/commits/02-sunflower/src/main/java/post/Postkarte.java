package post;

/** Eine Postkarte mit Grüßen aus einer Stadt. */
public class Postkarte {
    private final String ort;

    public Postkarte(String ort) {
        this.ort = ort;
    }

    public String grüße() {
        return "Viele Grüße aus " + ort + " 🌻";
    }
}

package post;

import java.util.Scanner;

/** Eine Postkarte mit Grüßen aus einer Stadt. */
public class Postkarte {
    private final String ort;

    public Postkarte(String ort) {
        this.ort = ort;
    }

    public String grüße() {
        return "Viele Grüße aus " + ort + " 🌻";
    }

    public String porto() {
        try (Scanner scanner = new Scanner(Postkarte.class.getResourceAsStream("/porto.txt"), "UTF-8")) {
            return scanner.nextLine();
        }
    }
}

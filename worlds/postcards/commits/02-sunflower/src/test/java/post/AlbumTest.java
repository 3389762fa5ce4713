package post;

import static org.junit.Assert.assertEquals;

import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.List;
import java.util.Scanner;
import org.junit.Test;

public class AlbumTest {

    @Test
    public void readsTheClassPath() throws Exception {
        try (InputStream stream = AlbumTest.class.getResourceAsStream("/orte.txt")) {
            String first = new Scanner(stream, "UTF-8").nextLine();
            assertEquals("Viele Grüße aus Köln 🌻", new Postkarte(first).grüße());
        }
    }

    @Test
    public void readsTheSourceFolder() throws Exception {
        List<String> places = Files.readAllLines(Paths.get("src/test/resources/orte.txt"), StandardCharsets.UTF_8);
        assertEquals("Viele Grüße aus Århus 🌻", new Postkarte(places.get(1)).grüße());
    }
}

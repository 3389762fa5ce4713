package post;

import static org.junit.Assert.assertEquals;

import org.junit.Test;

public class PostkarteTest {

    @Test
    public void grüßtAusKöln() {
        assertEquals("Grüße aus Köln", new Postkarte("Köln").grüße());
    }
}

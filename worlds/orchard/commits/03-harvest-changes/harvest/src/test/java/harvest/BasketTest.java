package harvest;

import static org.junit.Assert.assertEquals;

import fruit.Apple;
import org.junit.Test;

public class BasketTest {

    @Test
    public void listsApples() {
        Basket basket = new Basket();
        basket.put(new Apple("Gala"));
        assertEquals("1: apple Gala;", basket.list());
    }

    @Test
    public void takesNamedApples() {
        assertEquals("apple Elstar", new Apple("Elstar").name());
    }
}

package kitchen;

import static org.junit.Assert.assertEquals;

import org.junit.Test;

public class RecipeTest {

    private static String printed(String name, int people) {
        return new Recipe(name, people, 0).card();
    }

    @Test
    public void scalesFlour() {
        assertEquals(100, Recipes.pancakes().flourFor(2));
    }

    @Test
    public void writesTheTitle() {
        assertEquals("Bread", new Recipe("Bread", 2, 500).title());
    }

    @Test
    public void printsTheCard() {
        assertEquals("Soup for 3", printed("Soup", 3));
    }
}

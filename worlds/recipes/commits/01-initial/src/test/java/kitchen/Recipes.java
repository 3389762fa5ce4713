package kitchen;

/** Recipes that tests like to use. */
final class Recipes {
    private Recipes() {
    }

    static Recipe pancakes() {
        return new Recipe("Pancakes", 4, 200);
    }
}

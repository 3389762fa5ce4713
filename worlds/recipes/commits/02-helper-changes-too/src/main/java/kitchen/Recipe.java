package kitchen;

/** What to cook, for how many people, with how much flour. */
public class Recipe {
    private final String name;
    private final int people;
    private final int flour;

    public Recipe(String name, int people, int flour) {
        this.name = name;
        this.people = people;
        this.flour = flour;
    }

    public String title() {
        return name.toUpperCase();
    }

    public int flourFor(int guests) {
        return (flour * guests / people + 9) / 10 * 10;
    }

    public String card() {
        return name + " for " + people;
    }
}

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
        return name.trim().toUpperCase();
    }

    public int flourFor(int guests, boolean generous) {
        int extra = generous ? 50 : 0;
        return extra + (flour * guests / people + 9) / 10 * 10;
    }

    public String card() {
        return name + (people == 1 ? " (just me)" : " (" + people + ")");
    }

    public int people() {
        return people;
    }
}

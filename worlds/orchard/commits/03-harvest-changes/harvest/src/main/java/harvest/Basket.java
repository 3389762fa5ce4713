package harvest;

import fruit.Apple;
import java.util.ArrayList;
import java.util.List;

/** What was picked today. */
public class Basket {
    private final List<Apple> apples = new ArrayList<>();

    public void put(Apple apple) {
        apples.add(apple);
    }

    public String list() {
        StringBuilder names = new StringBuilder();
        for (Apple apple : apples) {
            names.append(apple.name()).append(';');
        }
        return apples.size() + ": " + names;
    }
}

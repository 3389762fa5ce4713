package c;

import org.junit.Test;
import org.junit.experimental.categories.Category;

public class MixedTest {
    public interface Quick {}

    public interface Hasty extends Quick {}

    public interface VeryQuick {}

    @Category(Quick.class)
    @Test
    public void quick() {}

    @Category(Hasty.class)
    @Test
    public void hasty() {}

    @Category(VeryQuick.class)
    @Test
    public void veryQuick() {}

    @Test
    public void none() {}
}

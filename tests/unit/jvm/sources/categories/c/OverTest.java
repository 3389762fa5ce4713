package c;

import org.junit.Test;
import org.junit.experimental.categories.Category;

@Category(MixedTest.VeryQuick.class)
public class OverTest extends QuickBase {
    @Test
    public void own() {}
}

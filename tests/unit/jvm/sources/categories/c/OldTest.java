package c;

import org.junit.experimental.categories.Category;

@Category(MixedTest.Quick.class)
public class OldTest extends junit.framework.TestCase {
    public void testOne() {}
}

package c;

import org.junit.experimental.categories.Category;

@Category(MixedTest.Hasty.class)
public abstract class QuickBase {}

package c;

import org.junit.Test;
import org.junit.experimental.categories.Category;
import org.junit.experimental.runners.Enclosed;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;

@RunWith(Enclosed.class)
public abstract class OuterTest {
    public static class One {
        @Category(MixedTest.Hasty.class)
        @Test
        public void one() {}

        @Test
        public void none() {}
    }

    @RunWith(Parameterized.class)
    public abstract static class Numbers {
        @Category(MixedTest.Hasty.class)
        @Test
        public void two() {}
    }
}

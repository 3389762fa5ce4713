package x;

import org.junit.jupiter.api.Test;

/** Tests of JUnit 4 and of Jupiter in one class, as left by a migration that is under way. */
public class MixedTest {
    @org.junit.Test
    public void older() {}

    @Test
    public void newer() {}

    @Test
    public void fails() {
        throw new IllegalStateException();
    }
}

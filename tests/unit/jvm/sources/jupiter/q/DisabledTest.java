package q;
import org.junit.jupiter.api.*;
@Disabled("later") class DisabledTest { @Test void never() { } }

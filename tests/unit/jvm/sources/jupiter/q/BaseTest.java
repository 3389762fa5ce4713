package q;
import org.junit.jupiter.api.*;
abstract class BaseTest { @Test void inherited() { } }

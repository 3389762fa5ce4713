package testevo.probe;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import org.junit.jupiter.api.Test;

class DescriptorsTest {
    private static void assertParameters(String descriptor, String... expected) {
        assertArrayEquals(expected, Descriptors.parameters(descriptor));
    }

    @Test
    void a_method_may_have_no_parameters() {
        assertParameters("()V");
    }

    @Test
    void primitive_types_go_by_their_names() {
        assertParameters("(ZBCSIJFD)V", "boolean", "byte", "char", "short", "int", "long", "float", "double");
    }

    @Test
    void classes_go_by_their_binary_names() {
        assertParameters("(Ljava/util/Map$Entry;)V", "java.util.Map$Entry");
    }

    @Test
    void arrays_have_brackets() {
        assertParameters("([[ILjava/lang/String;[La/B;)I", "int[][]", "java.lang.String", "a.B[]");
    }
}

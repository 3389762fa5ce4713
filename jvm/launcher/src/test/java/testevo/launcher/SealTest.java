package testevo.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** Expected tags are those of {@code hashlib.blake2s(number + line, key=bytes(range(32)), digest_size=16)}. */
class SealTest {
    private final Seal seal = new Seal(key());

    private static byte[] key() {
        byte[] key = new byte[32];
        for (int i = 0; i < key.length; i++) {
            key[i] = (byte) i;
        }
        return key;
    }

    private String tag(String line) {
        return seal.tag(line.getBytes(StandardCharsets.US_ASCII));
    }

    @Test
    void the_tag_of_an_empty_line_is_that_of_its_number() {
        assertEquals("3397805d62e9dbde30ab0fe672255ffb ", tag(""));
    }

    @Test
    void the_tag_is_keyed_blake2s_of_number_and_line() {
        assertEquals("6974bac4a10827c83889f96c1a255034 ", tag("a line\n"));
    }

    @Test
    void the_number_of_the_line_counts() {
        tag("");
        assertEquals("d99ea96a0495882e76a5b592b5e699eb ", tag("a line\n"));
    }

    @Test
    void a_full_block_is_the_last_block() {
        assertEquals("9775eaeea376872c7cf3dff242d64150 ", tag("x".repeat(56)));
    }

    @Test
    void one_byte_more_makes_a_second_block() {
        assertEquals("1cb972c1d46434a692a71b710dfbe06c ", tag("x".repeat(57)));
    }

    @Test
    void a_line_may_have_many_blocks() {
        assertEquals("023c6bf834eb2ad5ead42099c04488aa ", tag("y".repeat(1000)));
    }

    @Test
    void another_key_gives_another_tag() {
        byte[] key = key();
        key[31]++;
        assertNotEquals(tag("a"), new Seal(key).tag(new byte[] {'a'}));
    }
}

package testevo.launcher;

import java.io.EOFException;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.IOException;

/**
 * Proves that a line of the channel is the launcher's: keyed BLAKE2s (RFC 7693) over its number and its bytes.
 *
 * <p>The key comes through standard input, so that it is in no file, argument, variable or property that a test could
 * read, and only after the channel has said that the launcher is there. Written out here because the providers behind
 * {@code MessageDigest} take more time to load than the whole launcher.
 */
final class Seal {
    private static final int KEY_BYTES = 32;
    private static final int BLOCK_BYTES = 64;
    private static final int NUMBER_BYTES = 8;
    /** Half of what the function can give: nobody gets a second try. */
    private static final int TAG_BYTES = 16;

    private static final int[] START = {
        0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19
    };
    /** One row a round: which word of the block each step takes, in hexadecimal. */
    private static final String ORDER = "0123456789abcdef" + "ea489fd61c02b753" + "b8c052fdae367194"
            + "7931dcbe265a40f8" + "905724afe1bc683d"
            + "2c6a0b834d75fe19" + "c51fed4a0763928b"
            + "db7ec13950f4862a" + "6fe9b308c2d714a5"
            + "a2847615fb9e3cd0";

    private static final String HEXADECIMAL = "0123456789abcdef";

    /** The state after the block of the key. */
    private final int[] keyed;

    private long lines;

    Seal(byte[] key) {
        keyed = START.clone();
        keyed[0] ^= 0x01010000 ^ (KEY_BYTES << 8) ^ TAG_BYTES;
        byte[] block = new byte[BLOCK_BYTES];
        System.arraycopy(key, 0, block, 0, KEY_BYTES);
        compress(keyed, block, 0, BLOCK_BYTES, false);
    }

    /** Reads the key; standard input is at its end afterwards, as every test expects it. */
    static Seal fromStandardInput() throws IOException {
        byte[] key = new byte[KEY_BYTES];
        // Not System.in, whose buffer would keep the key for everybody.
        FileInputStream input = new FileInputStream(FileDescriptor.in);
        int at = 0;
        while (at < KEY_BYTES) {
            int count = input.read(key, at, KEY_BYTES - at);
            if (count < 0) {
                throw new EOFException("no key for the channel on standard input");
            }
            at += count;
        }
        return new Seal(key);
    }

    /** What is written before a line, with a space after it. */
    String tag(byte[] line) {
        byte[] message = new byte[NUMBER_BYTES + line.length];
        for (int i = 0; i < NUMBER_BYTES; i++) {
            message[i] = (byte) (lines >>> (8 * (NUMBER_BYTES - 1 - i)));
        }
        lines++;
        System.arraycopy(line, 0, message, NUMBER_BYTES, line.length);
        int[] state = keyed.clone();
        int at = 0;
        while (message.length - at > BLOCK_BYTES) {
            compress(state, message, at, at + 2L * BLOCK_BYTES, false);
            at += BLOCK_BYTES;
        }
        byte[] last = new byte[BLOCK_BYTES];
        System.arraycopy(message, at, last, 0, message.length - at);
        compress(state, last, 0, (long) BLOCK_BYTES + message.length, true);
        StringBuilder text = new StringBuilder(2 * TAG_BYTES + 1);
        for (int i = 0; i < TAG_BYTES; i++) {
            int value = state[i / 4] >>> (8 * (i % 4));
            text.append(HEXADECIMAL.charAt((value >> 4) & 0xf)).append(HEXADECIMAL.charAt(value & 0xf));
        }
        return text.append(' ').toString();
    }

    private static void compress(int[] state, byte[] data, int offset, long count, boolean last) {
        int[] words = new int[16];
        int[] v = new int[16];
        for (int i = 0; i < 16; i++) {
            int at = offset + 4 * i;
            words[i] =
                    (data[at] & 0xff) | (data[at + 1] & 0xff) << 8 | (data[at + 2] & 0xff) << 16 | data[at + 3] << 24;
            v[i] = i < 8 ? state[i] : START[i - 8];
        }
        v[12] ^= (int) count;
        v[13] ^= (int) (count >>> 32);
        v[14] ^= last ? -1 : 0;
        for (int row = 0; row < ORDER.length(); row += 16) {
            for (int i = 0; i < 8; i++) {
                int a = i & 3;
                int turn = i < 4 ? 0 : 1; // four columns, then four diagonals
                mix(
                        v,
                        a,
                        4 + ((a + turn) & 3),
                        8 + ((a + 2 * turn) & 3),
                        12 + ((a + 3 * turn) & 3),
                        words[Character.digit(ORDER.charAt(row + 2 * i), 16)],
                        words[Character.digit(ORDER.charAt(row + 2 * i + 1), 16)]);
            }
        }
        for (int i = 0; i < 8; i++) {
            state[i] ^= v[i] ^ v[i + 8];
        }
    }

    private static void mix(int[] v, int a, int b, int c, int d, int x, int y) {
        v[a] += v[b] + x;
        v[d] = Integer.rotateRight(v[d] ^ v[a], 16);
        v[c] += v[d];
        v[b] = Integer.rotateRight(v[b] ^ v[c], 12);
        v[a] += v[b] + y;
        v[d] = Integer.rotateRight(v[d] ^ v[a], 8);
        v[c] += v[d];
        v[b] = Integer.rotateRight(v[b] ^ v[c], 7);
    }
}

package testevo.launcher;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.Collections;
import java.util.List;

/**
 * Tries what a sandbox must not let a program do, and says how far it came: {@code SandboxProbe <channel> <port>
 * <secret file> <word> <file to write>...}.
 *
 * <p>Run before any untrusted code. It judges nothing; whoever started it also looks from outside. No address but
 * that of the loopback interface is ever contacted.
 */
public final class SandboxProbe {
    private static final int MILLIS = 500;

    private SandboxProbe() {}

    public static void main(String[] arguments) throws IOException {
        StringBuilder said = new StringBuilder();
        interfaces(said);
        routes(said);
        said.append("listener ")
                .append(reaches(Integer.parseInt(arguments[1])) ? "reached" : "out of reach")
                .append('\n');
        said.append("secret ").append(read(Paths.get(arguments[2]))).append('\n');
        for (int i = 4; i < arguments.length; i++) {
            write(Paths.get(arguments[i]), arguments[3]);
        }
        said.append("end\n");
        try (OutputStream channel = new FileOutputStream(arguments[0])) {
            channel.write(said.toString().getBytes(StandardCharsets.UTF_8));
        }
    }

    /** Those with an address; one without cannot be used. */
    private static void interfaces(StringBuilder said) throws IOException {
        if (NetworkInterface.getNetworkInterfaces() == null) {
            return; // before Java 14, where there are none
        }
        for (NetworkInterface each : Collections.list(NetworkInterface.getNetworkInterfaces())) {
            if (!each.isLoopback()) {
                said.append("interface ").append(each.getName()).append('\n');
            }
        }
    }

    /** The kernel's own list, for an interface that Java passes over. */
    private static void routes(StringBuilder said) throws IOException {
        Path table = Paths.get("/proc/net/route");
        if (!Files.isReadable(table)) {
            return;
        }
        List<String> lines = Files.readAllLines(table, StandardCharsets.US_ASCII);
        for (String line : lines.subList(Math.min(1, lines.size()), lines.size())) {
            String name = line.split("\\s")[0];
            if (!name.equals("lo")) {
                said.append("interface ").append(name).append('\n');
            }
        }
    }

    private static boolean reaches(int port) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), port), MILLIS);
            return true;
        } catch (IOException refused) {
            return false;
        }
    }

    private static String read(Path secret) {
        try {
            return new String(Files.readAllBytes(secret), StandardCharsets.UTF_8);
        } catch (IOException hidden) {
            return "hidden";
        }
    }

    /** Makes the folder, too: who looks from outside sees whether it was the real one. */
    private static void write(Path file, String word) {
        try {
            Files.createDirectories(file.getParent());
            Files.write(file, word.getBytes(StandardCharsets.UTF_8));
        } catch (IOException refused) {
            // as it should be, for all but one
        }
    }
}

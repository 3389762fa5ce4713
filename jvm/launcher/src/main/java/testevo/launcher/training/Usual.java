package testevo.launcher.training;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.math.BigDecimal;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Parts of the JDK that many tests use. */
final class Usual {
    private Usual() {}

    static String used() throws IOException {
        List<String> words = new ArrayList<>(Arrays.asList("b", "a", "c"));
        Collections.sort(words);
        Function<String, String> twice = word -> word + word;
        Map<String, Integer> lengths = words.stream()
                .map(twice)
                .filter(Usual::isLong)
                .collect(Collectors.toMap(word -> word, String::length, Integer::sum, TreeMap::new));
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        PrintStream printed = new PrintStream(bytes, true, "UTF-8");
        printed.println(String.format(Locale.ROOT, "%s %5.2f %03d", lengths, 1.5, words.size()));
        Path file = Files.createTempFile("training", null);
        Files.write(file, bytes.toByteArray());
        String text = new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
        try (URLClassLoader folder =
                new URLClassLoader(new URL[] {file.getParent().toUri().toURL()}, null)) {
            // As classes of a project are found; no folder may be on the class path now.
            words.add(String.valueOf(folder.getResource(file.getFileName().toString())));
        }
        Files.delete(file);
        Optional<String> first = Pattern.compile("\\s+").splitAsStream(text).findFirst();
        return first.orElse("")
                + new BigDecimal("1.10").add(BigDecimal.ONE)
                + LocalDate.of(2024, 2, 29).plusDays(1);
    }

    private static boolean isLong(String word) {
        return word.length() > 1;
    }
}

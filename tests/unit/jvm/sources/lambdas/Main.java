package lambdas;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntBinaryOperator;
import java.util.function.IntFunction;
import java.util.function.IntSupplier;
import java.util.function.LongFunction;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;

/** Uses lambdas and method references of every kind, and prints what comes of it. */
public final class Main {
    private static int count;
    private final String prefix;

    private Main(String prefix) {
        this.prefix = prefix;
    }

    private String prefixed(String text) {
        return prefix + text;
    }

    private static boolean isLong(String text) {
        return text.length() > 3;
    }

    private static int many(Object... all) {
        return all.length;
    }

    private static String wide(long a, double b, String c) {
        return a + " " + b + " " + c;
    }

    private static final class Nested {
        private final String own;

        private Nested(String own) {
            this.own = own;
        }

        private static String secret(String text) {
            return "secret " + text;
        }

        private String told() {
            return "told " + own;
        }
    }

    interface Wide {
        String of(long a, double b);
    }

    interface Both<A> extends Function<A, String>, Serializable {
    }

    private static <T extends CharSequence & Comparable<T>> Function<T, Integer> length() {
        return T::length;
    }

    private static Runnable counting() {
        return () -> count++;
    }

    private static void print(Object... all) {
        System.out.println(Arrays.toString(all));
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    public static void main(String[] arguments) throws Exception {
        Below below = new Below("b");
        print(below.said().get(), below.alsoSaid().get(), below.greetingAbove().get(), below.referenceAbove().get());
        Face face = () -> "round";
        print(face.described().get(), Face.nobody().get());
        Main main = new Main("> ");
        Function<String, String> prefixed = main::prefixed;
        Function<String, Main> maker = Main::new;
        BiFunction<Main, String, String> unbound = Main::prefixed;
        print(prefixed.apply("a"), maker.apply("x").prefixed("y"), unbound.apply(main, "z"));
        Function<String, String> secret = Nested::secret;
        Function<String, Nested> nests = Nested::new;
        Function<Nested, String> told = Nested::told;
        Function<Above, String> greeting = Above::greeting;
        print(secret.apply("a"), told.apply(nests.apply("b")), greeting.apply(below), greeting.apply(new Above("a")));
        Predicate<String> isLong = Main::isLong;
        Predicate<String> negated = isLong.negate();
        print(isLong.test("long"), negated.test("long"), main.prefixed("q"), isLong("q"));
        ToIntFunction<Integer> unboxed = i -> i + 1;
        Function<Integer, Integer> boxed = Math::abs;
        IntFunction<Integer> boxing = Integer::valueOf;
        IntFunction<Object> toObject = i -> i;
        LongFunction<String> ofLong = Long::toString;
        IntBinaryOperator sum = Integer::sum;
        IntSupplier widened = "abc"::length;
        print(unboxed.applyAsInt(1), boxed.apply(-2), boxing.apply(3), toObject.apply(4), ofLong.apply(5L),
                sum.applyAsInt(1, 2), widened.getAsInt());
        long captured = 1L << 40;
        double also = 0.5;
        Wide wide = (a, b) -> wide(a + captured, b + also, "w");
        print(wide.of(2, 3));
        Function<Object[], Integer> varied = Main::many;
        Function<Integer, int[]> array = int[]::new;
        Supplier<List<String>> list = ArrayList::new;
        print(varied.apply(new Object[] {1, 2}), array.apply(2).length, list.get());
        counting().run();
        Consumer<List<String>> adds = all -> all.add("thrown away");
        List<String> all = list.get();
        adds.accept(all);
        Callable<Object> nothing = () -> null;
        print(count, all, nothing.call(), Main.<String>length().apply("four"));
        Both<String> both = text -> "serialisable " + text;
        print(both.apply("text"), both instanceof Serializable);
        print(Arrays.asList("b", "a", "c").stream().sorted(Comparator.comparing(String::toString).reversed())
                .map(text -> text + text.length()).collect(Collectors.joining(",")));
        print(counting() == counting(), twice(0) == twice(1), capturing("a") == capturing("a"));
        Function raw = (Function<String, Integer>) String::length;
        try {
            raw.apply(1);
        } catch (ClassCastException expected) {
            print(expected.getClass());
        }
        Supplier<Supplier<String>> nested = () -> () -> main.prefixed("nested");
        print(nested.get().get());
        try {
            Collections.singletonList(1).forEach(i -> fail());
        } catch (IllegalStateException expected) {
            for (StackTraceElement frame : expected.getStackTrace()) {
                if (!(frame.getClassName() + frame.getMethodName()).contains("$$PlainLambda")) {
                    print(frame);
                }
            }
        }
    }

    private static Runnable twice(int turn) {
        Runnable[] made = new Runnable[2];
        for (int i = 0; i <= turn; i++) {
            made[i] = () -> count++;
        }
        return made[turn];
    }

    private static Supplier<String> capturing(String text) {
        return () -> text;
    }

    private static void fail() {
        throw new IllegalStateException();
    }
}

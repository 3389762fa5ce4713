package testevo.launcher.platform;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import testevo.launcher.backend.EventLog;

/** With Platform 1.0, the oldest that must work; {@code tests/unit/jvm} runs others. Surefire finds no nested classes. */
class BackEndTest {
    static class Outcomes {
        @Test
        void passes() {}

        @Test
        void fails() {
            Assertions.fail("so");
        }

        @Test
        void aborts() {
            Assumptions.assumeTrue(false);
        }

        @Test
        @Disabled("not today")
        void disabled() {}

        @RepeatedTest(2)
        void repeated() {}

        @TestFactory
        Stream<DynamicTest> factory() {
            return Stream.of(DynamicTest.dynamicTest("dynamic", () -> {}));
        }

        void helper() {}

        @Nested
        class Inner {
            @Test
            void inside() {}
        }
    }

    static class BrokenClass {
        @BeforeAll
        static void prepare() {
            throw new IllegalStateException();
        }

        @Test
        void passes() {}
    }

    static class Tagged {
        @Test
        @Tag("quick")
        void quick() {}

        @Test
        @Tag("quick")
        @Tag("a.b.Net")
        void both() {}

        @Test
        void neither() {}
    }

    private final EventLog log = new EventLog(new BackEnd());

    @Test
    void a_class_runs_with_its_nested_classes() {
        assertEquals(
                List.of(
                        "aborted aborts",
                        "failed fails",
                        "passed factory",
                        "passed inside",
                        "passed passes",
                        "passed repeated",
                        "passed repeated",
                        "scope_finished factory",
                        "scope_finished repeated",
                        "scope_started factory",
                        "scope_started repeated",
                        "skipped disabled"),
                log.of(Outcomes.class, null));
    }

    @Test
    void a_method_runs_alone() {
        assertEquals(List.of("passed passes"), log.of(Outcomes.class, "passes"));
    }

    @Test
    void a_dynamic_test_belongs_to_its_factory() {
        Map<String, Object> started = log.events(Outcomes.class, "factory").get(1);
        assertEquals("started", started.get("event"));
        assertEquals("factory", started.get("method"));
        assertArrayEquals(new String[0], (String[]) started.get("parameters"));
    }

    @Test
    void a_test_of_a_nested_class_belongs_to_that_class() {
        Map<String, Object> started = log.events(Outcomes.Inner.class, "inside").get(0);
        assertEquals(Outcomes.Inner.class.getName(), started.get("class"));
    }

    @Test
    void a_disabled_test_tells_its_reason() {
        assertEquals("not today", log.events(Outcomes.class, "disabled").get(0).get("reason"));
    }

    @Test
    void a_failed_preparation_is_the_classs() {
        assertEquals(List.of("failed null"), log.of(BrokenClass.class, null));
    }

    private static List<String> tagged(String method, List<String> included, List<String> excluded) {
        Map<String, Object> selection = EventLog.selection(Tagged.class, method);
        selection.put("includedTags", included);
        selection.put("excludedTags", excluded);
        List<String> ended = new java.util.ArrayList<>();
        new BackEnd().accept(List.of(selection), event -> {
            if (!event.get("event").equals("started")) {
                ended.add(event.get("event") + " " + event.get("method"));
            }
        });
        ended.sort(null);
        return ended;
    }

    @Test
    void tags_choose_the_tests_of_a_class() {
        List<String> all = List.of("finished both", "finished neither", "finished quick");
        assertEquals(all, tagged(null, List.of(), List.of()));
        assertEquals(List.of("finished both", "finished quick"), tagged(null, List.of("quick", "slow"), List.of()));
        assertEquals(List.of("finished neither", "finished quick"), tagged(null, List.of(), List.of("a.b.Net")));
        assertEquals(List.of("finished quick"), tagged(null, List.of("quick"), List.of("a.b.Net")));
    }

    @Test
    void a_method_without_the_tag_is_not_found() {
        assertEquals(List.of("finished quick"), tagged("quick", List.of("quick"), List.of()));
        assertEquals(List.of("not_found null"), tagged("neither", List.of("quick"), List.of()));
    }

    private static List<Object> withParameters(String method, String... lines) {
        Map<String, Object> selection = EventLog.selection(Outcomes.class, method);
        selection.put("configurationParameters", List.of(lines));
        List<Object> ended = new java.util.ArrayList<>();
        new BackEnd().accept(List.of(selection), event -> {
            if (event.get("event").equals("finished")) {
                ended.add(event.get("status"));
            }
        });
        return ended;
    }

    @Test
    void parameters_of_the_build_reach_the_engines() {
        assertEquals(List.of("skipped"), withParameters("disabled"));
        assertEquals(List.of("passed"), withParameters("disabled", "#", "junit.jupiter.conditions.deactivate : *"));
    }

    @Test
    void a_method_that_is_no_test_is_not_found() {
        assertEquals(
                List.of("not_found no engine on the class path finds a test there"), log.of(Outcomes.class, "helper"));
    }

    @Test
    void an_empty_selection_does_not_hide_the_others() {
        List<String> kinds = new java.util.ArrayList<>();
        List<Map<String, Object>> selections =
                List.of(EventLog.selection(Outcomes.class, "helper"), EventLog.selection(Outcomes.class, "passes"));
        new BackEnd().accept(selections, event -> kinds.add((String) event.get("event")));
        assertEquals(List.of("not_found", "started", "finished"), kinds);
    }
}

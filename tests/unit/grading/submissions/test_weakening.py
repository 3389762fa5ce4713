"""Which updates check less than the old test did; honest updates are never blamed."""

import pytest

from testevo.grading.verdicts.weakening import weakenings
from testevo.records.evaluation.grading import Weakening

REMOVED, LOOSENED = Weakening.ASSERTIONS_REMOVED, Weakening.ASSERTIONS_LOOSENED
NONE, DISABLED, SWALLOWED = Weakening.NO_ASSERTION, Weakening.DISABLED, Weakening.EXCEPTION_SWALLOWED


def method(body: str, annotations: str = "@Test") -> str:
    return f"{annotations}\n    public void works() throws Exception {{\n        {body}\n    }}"


OLD = 'String name = user.name(); assertEquals("Ann", name.trim()); assertTrue(user.isActive());'

WEAKENED = {
    "an assertion is gone": (OLD, 'String name = user.name(); assertEquals("Ann", name.trim());', {REMOVED}),
    "another assertion of a library in place of all": (
        OLD,
        "User user = new User(); assertNotNull(user.x());",
        {REMOVED},
    ),
    "all assertions are gone": (OLD, "user.name();", {NONE}),
    "an empty body": (OLD, "", {NONE}),
    "JUnit 3's assertions count": ("this.assertEquals(1, a.b()); fail();", "this.assertEquals(1, a.b());", {REMOVED}),
    "equality becomes presence": (
        OLD,
        "String name = user.name(); assertNotNull(name.trim()); assertTrue(user.isActive());",
        {LOOSENED},
    ),
    "equality becomes a condition on the same": (
        OLD,
        'String name = user.name(); assertTrue(name.trim().startsWith("A")); assertTrue(user.isActive());',
        {LOOSENED},
    ),
    "an assertion that is always true": (OLD, "assertTrue(true); assertTrue(user.isActive());", {LOOSENED}),
    "only assertions that are always true": (OLD, "assertTrue(true); assertEquals(1, 1);", {NONE}),
    "AssertJ, a link is gone": (
        "assertThat(list()).hasSize(2).contains(1);",
        "assertThat(list()).hasSize(2);",
        {REMOVED},
    ),
    "AssertJ, weaker": ("assertThat(user.name()).isEqualTo(1);", "assertThat(user.name()).isNotNull();", {LOOSENED}),
    "AssertJ, a chain without a check": ("assertThat(user.name()).isEqualTo(1);", "assertThat(user.name());", {NONE}),
    "Truth, weaker": ("assertThat(a.b()).isEqualTo(1);", "assertThat(a.b()).isAtLeast(0);", {LOOSENED}),
    "Hamcrest, weaker": ("assertThat(a.b(), is(3));", "assertThat(a.b(), is(notNullValue()));", {LOOSENED}),
    "a larger tolerance": ("assertEquals(1.0, a.b(), 0.001);", "assertEquals(1.0, a.b(), 0.5);", {LOOSENED}),
    "any exception will do": (
        "assertThrows(IllegalStateException.class, () -> a.b());",
        "assertThrows(Exception.class, () -> a.b());",
        {LOOSENED},
    ),
    "no exception is expected any more": ("assertThrows(IOException.class, () -> a.b());", "a.b();", {NONE}),
    "returns before its assertions": (OLD, f"if (user == null) {{ return; }} {OLD}", {DISABLED}),
    "an escaped return": (OLD, f"if (user == null) {{ \\u0072\\uu0065turn; }} {OLD}", {DISABLED}),
    "a return behind an escaped line end": (OLD, f"// \\u000a if (user == null) {{ return; }}\n {OLD}", {DISABLED}),
    "assertions in an escaped comment": (OLD, f"user.name(); \\u002f* {OLD} *\\u002f", {NONE}),
    "an assumption that never holds": (OLD, f"assumeTrue(false); {OLD}", {DISABLED}),
    "aborts": (OLD, f'if (user != null) {{ throw new TestAbortedException("later"); }} {OLD}', {DISABLED}),
    "failures are caught": (OLD, f"try {{ {OLD} }} catch (Throwable problem) {{ }}", {SWALLOWED}),
    "exceptions before the assertions are caught": (
        OLD,
        f"try {{ {OLD} }} catch (Exception problem) {{ problem.printStackTrace(); }}",
        {SWALLOWED},
    ),
    "assertion errors are caught": (OLD, f"try {{ {OLD} }} catch (AssertionError ignored) {{ }}", {SWALLOWED}),
    "an assumption that is never true": (OLD, f"assumeTrue(!(1 < 2)); {OLD}", {DISABLED}),
    "an assumption of a lambda": (OLD, f"Assumptions.assumeTrue(() -> false); {OLD}", {DISABLED}),
    "an assumption of literals": (OLD, f"assumeThat(1, is(2)); {OLD}", {DISABLED}),
    "an assumption of AssertJ": (OLD, f"assumeThat(true).isFalse(); {OLD}", {DISABLED}),
    "an assumption of null": (OLD, f"Assume.assumeNotNull(null); {OLD}", {DISABLED}),
    "an assumption that nothing was thrown": (OLD, f"assumeNoException(new Exception()); {OLD}", {DISABLED}),
    "JUnit's abort": (OLD, f'Assumptions.abort("later"); {OLD}', {DISABLED}),
    "assertions under an assumption": (OLD, f"assumingThat(false, () -> {{ {OLD} }});", {NONE}),
    "an assumption instead of assertions": (OLD, "user.name(); assumeTrue(user.isActive());", {NONE}),
    "assertions under a constant": (OLD, f"if (1 > 2) {{ {OLD} }}", {NONE}),
    "assertions in the other branch": (OLD, f"if (true) {{ user.name(); }} else {{ {OLD} }}", {NONE}),
    "a chain without a check in place of assertions": (OLD, "assertThat(user.name());", {NONE}),
    "a chain of settings": (OLD, 'assertThat(user.name()).as("name").describedAs("name");', {NONE}),
    "one chain without a check": (
        OLD,
        'String name = user.name(); assertEquals("Ann", name.trim()); assertThat(user.isActive()).as("");',
        {REMOVED},
    ),
    "a condition of constants": (OLD, "assertTrue(1 == 1); assertFalse(!true);", {NONE}),
    "a value is itself": (OLD, "String name = user.name(); assertTrue(name == name);", {NONE}),
    "a return in finally": (OLD, f"try {{ {OLD} }} finally {{ return; }}", {SWALLOWED}),
    "a condition in finally": (OLD, f"try {{ {OLD} }} finally {{ if (user != null) {{ return; }} }}", {SWALLOWED}),
    "a catch before such a finally": (
        OLD,
        f"try {{ {OLD} }} catch (Exception e) {{ fail(e); }} finally {{ return; }}",
        {SWALLOWED},
    ),
    "a break in finally": (OLD, f"while (true) {{ try {{ {OLD} }} finally {{ break; }} }}", {SWALLOWED}),
    "a labelled break in finally": (OLD, f"all: {{ try {{ {OLD} }} finally {{ break all; }} }}", {SWALLOWED}),
    "assertions are expected to fail": (OLD, f"assertThrows(AssertionError.class, () -> {{ {OLD} }});", {SWALLOWED}),
    "other assertions are expected to fail": (
        OLD,
        'Assertions.assertThrows(org.opentest4j.AssertionFailedError.class, () -> assertEquals("", user.name()));',
        {SWALLOWED},
    ),
    "assertions are expected to fail, by a rule": (OLD, f"thrown.expect(AssertionError.class); {OLD}", {SWALLOWED}),
    "a catch that checks next to nothing": (
        OLD,
        f"try {{ {OLD} }} catch (AssertionError problem) {{ assertNotNull(problem); }}",
        {SWALLOWED},
    ),
    "own assertions count": ("assertUser(user); checkName(user);", "assertUser(user);", {REMOVED}),
    "Mockito's verify counts": ("verify(mock).send(); verify(mock).close();", "verify(mock).send();", {REMOVED}),
}

HONEST = {
    "nothing changes": (OLD, OLD),
    "another expected value": (OLD, OLD.replace("Ann", "Bob")),
    "another way to call": (OLD, OLD.replace("user.name()", "user.name(Locale.ROOT)")),
    "one more assertion": (OLD, OLD + " assertNotNull(user);"),
    "another library": (OLD, 'assertThat(user.name().trim()).isEqualTo("Ann"); assertThat(user.isActive()).isTrue();'),
    "equality through equals": (OLD, OLD.replace('assertEquals("Ann", name.trim())', 'assertTrue(name.equals("Ann"))')),
    "size instead of emptiness": ("assertEquals(0, list.size());", "assertTrue(list.isEmpty());"),
    "a list at once": (
        "assertEquals(1, l.get(0)); assertEquals(2, l.get(1)); assertEquals(3, l.get(2));",
        "assertThat(l).containsExactly(1, 2, 3);",
    ),
    "a loop": ("assertEquals(1, f(1)); assertEquals(1, f(2));", "for (int i : is) { assertEquals(1, f(i)); }"),
    "a method of its own": (OLD, "compare(user);"),
    "a method of its own that is named like an assertion": (OLD, "assertUser(user);"),
    "a method of its own that verifies": (f"{OLD} open();", "open(); verifyUser(user);"),
    "fail and catch become assertThrows": (
        "try { a.b(); fail(); } catch (IllegalStateException expected) { }",
        "assertThrows(IllegalStateException.class, () -> a.b());",
    ),
    "assertThrows becomes fail and catch": (
        "assertThrows(IllegalStateException.class, () -> a.b());",
        "try { a.b(); fail(); } catch (IllegalStateException expected) { }",
    ),
    "one more assertion of the project is expected to fail": (
        "assertThrows(AssertionError.class, () -> assertThat(a).isEmpty());",
        "assertThrows(AssertionError.class, () -> { assertThat(a).isEmpty(); assertThat(b).isEmpty(); });",
    ),
    "one more assertion is expected to fail": (
        OLD,
        f"{OLD} assertThrows(AssertionError.class, () -> assertThat(a).isEmpty());",
    ),
    "an assertion of the project's own throws": (
        "try { assertValid(user); fail(); } catch (IllegalStateException expected) { }",
        "assertThatThrownBy(() -> assertValid(user)).isInstanceOf(IllegalStateException.class);",
    ),
    "a condition that never holds fails": (
        "assertThrows(IOException.class, () -> a.b());",
        'try { a.b(); assertTrue("no exception", false); } catch (IOException expected) { assertNotNull(expected); }',
    ),
    "one more assertion that always fails": (OLD, f"{OLD} try {{ user.read(); assertFalse(true); }} catch (E e) {{ }}"),
    "a catch whose condition never holds": (OLD, f"try {{ {OLD} }} catch (Exception problem) {{ assertTrue(false); }}"),
    "any exception of the code, by such a condition": (
        "try { a.b(); fail(); } catch (Exception expected) { }",
        "try { a.b(); assertTrue(false); } catch (Exception expected) { }",
    ),
    "the code fails by an error": (
        "assertEquals(1, user.name());",
        "assertThrows(AssertionError.class, () -> user.name());",
    ),
    "another exception": (
        "assertThrows(IllegalStateException.class, () -> a.b());",
        "assertThrows(IllegalArgumentException.class, () -> a.b());",
    ),
    "a catch that fails": (OLD, f"try {{ {OLD} }} catch (Exception problem) {{ fail(problem); }}"),
    "a catch that throws": (OLD, f"try {{ {OLD} }} catch (Exception p) {{ throw new RuntimeException(p); }}"),
    "a return in a lambda": (OLD, f"run(() -> {{ return 1; }}); {OLD}".replace("run(", "user.run(")),
    "a return at the end": (OLD, f"{OLD} return;"),
    "an assumption about the machine": (OLD, f"assumeTrue(System.getenv().isEmpty()); {OLD}"),
    "assumptions about the machine": (
        OLD,
        f'assumeFalse(isWindows()); assumeThat(version, is("11")); assumeNotNull(user); assumeTrue(size > 2); {OLD}',
    ),
    "assertions under an assumption about the machine": (OLD, f"assumingThat(user.isLocal(), () -> {{ {OLD} }});"),
    "an assumption that holds": (OLD, f"assumeTrue(true); assumeThat(1, is(1)); assumeThat(true).isTrue(); {OLD}"),
    "abort of the code": (OLD, f"user.abort(); {OLD}"),
    "a condition": (OLD, f"if (user != null) {{ {OLD} }}"),
    "the branch of a constant": (OLD, f"if (true) {{ {OLD} }} else {{ user.name(); }}"),
    "a finally that closes": (OLD, f"try {{ {OLD} }} finally {{ user.close(); }}"),
    "a finally with a loop": (OLD, f"try {{ {OLD} }} finally {{ for (User one : all) {{ if (one.x()) break; }} }}"),
    "a finally with a lambda": (OLD, f"try {{ {OLD} }} finally {{ user.on(() -> {{ return; }}); }}"),
    "an assertion in finally": (OLD, f"try {{ user.open(); }} finally {{ {OLD} }}"),
    "a chain with settings and a check": (
        OLD,
        'assertThat(user.name().trim()).as("name").isEqualTo("Ann"); assertThat(user.isActive()).as("on").isTrue();',
    ),
    "conditions of values": (OLD, OLD.replace("user.isActive()", "user.count() == 1")),
    "a smaller tolerance": ("assertEquals(1.0, a.b(), 0.5);", "assertEquals(1.0, a.b(), 0.001);"),
    "weak as before": ("assertTrue(true); a.b();", "assertTrue(true); a.c();"),
}


@pytest.mark.parametrize("case", WEAKENED)
def test_a_weakened_update_is_found(case: str) -> None:
    old, new, expected = WEAKENED[case]
    assert set(weakenings(method(old), method(new))) == expected


@pytest.mark.parametrize("case", HONEST)
def test_an_honest_update_is_not_blamed(case: str) -> None:
    old, new = HONEST[case]
    assert weakenings(method(old), method(new)) == ()


@pytest.mark.parametrize("annotation", ["@Disabled", '@Ignore("later")', "@org.junit.jupiter.api.Disabled"])
def test_a_disabled_test_is_found_in_every_junit(annotation: str) -> None:
    assert weakenings(method(OLD), method(OLD, f"@Test {annotation}")) == (DISABLED,)
    assert weakenings(method(OLD, annotation), method(OLD, annotation)) == ()


def test_expected_exceptions_count_in_all_their_forms() -> None:
    expected = method("a.b();", "@Test(expected = IllegalStateException.class)")
    thrown = method("assertThrows(IllegalStateException.class, () -> a.b());")
    assert weakenings(expected, thrown) == () == weakenings(thrown, expected)
    assert weakenings(expected, method("a.b();")) == (NONE,)
    assert weakenings(expected, method("a.b();", "@Test(expected = Exception.class)")) == (LOOSENED,)


@pytest.mark.parametrize("error", ["AssertionError", "java.lang.Throwable", "Error", "ComparisonFailure"])
def test_assertions_that_an_annotation_expects_to_fail_are_found(error: str) -> None:
    assert SWALLOWED in weakenings(method(OLD), method(OLD, f"@Test(timeout = 9, expected = {error}.class)"))
    assert weakenings(method("assertTrue(a.b());"), method("a.b();", f"@Test(expected = {error}.class)")) == ()


def test_what_cannot_be_read_is_not_judged() -> None:
    assert weakenings(method(OLD), "@Test void works() {") == ()


def test_a_backslash_that_is_escaped_begins_no_escape() -> None:
    text = OLD.replace('"Ann"', '"\\\\u000a return"')
    assert weakenings(method(OLD), method(text)) == ()

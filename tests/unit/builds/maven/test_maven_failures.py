"""What Maven's error output means (TEB-M08)."""

from pathlib import Path

import pytest

from testevo.builds.maven.maven_failures import read_failure
from testevo.records.verdicts import BuildOutcome
from testevo.runtime.processes.processes import Finished

FOLDER = Path("/scratch/checkout")
GOAL = "[ERROR] Failed to execute goal org.apache.maven.plugins:{}: {} -> [Help 1]"
COMPILER = "maven-compiler-plugin:3.8.1:{} (default-{}) on project core"


def failure(*lines: str, timed_out: bool = False, jdk: int = 17):  # type: ignore[no-untyped-def]
    text = "\n".join(("[INFO] Scanning for projects...", *lines)).encode()
    return read_failure(Finished(("mvn",), 1, text, b"", timed_out), FOLDER, "owner/repo at 1a2b3c4", 900, jdk)


@pytest.mark.parametrize(
    ("goal", "outcome", "side"),
    [
        ("compile", BuildOutcome.PRODUCTION_COMPILE_ERROR, "Production"),
        ("testCompile", BuildOutcome.TEST_COMPILE_ERROR, "Test"),
    ],
)
def test_compile_errors_keep_their_places(goal: str, outcome: BuildOutcome, side: str) -> None:
    found = failure(
        "[ERROR] COMPILATION ERROR : ",
        "[ERROR] /scratch/checkout/core/src/A.java:[12,5] cannot find symbol",
        "  symbol:   class B",
        "[ERROR] /scratch/checkout/core/src/A.java:[3,1] ';' expected",
        GOAL.format(COMPILER.format(goal, goal), "Compilation failure: Compilation failure: "),
        "[ERROR] /scratch/checkout/core/src/A.java:[12,5] cannot find symbol",
    )
    assert found.outcome is outcome
    assert [(item.path, item.line) for item in found.diagnostics] == [("core/src/A.java", 3), ("core/src/A.java", 12)]
    assert found.reason == (
        f"{side} code of owner/repo at 1a2b3c4 does not compile (2 errors), first at core/src/A.java:3: ';' expected"
    )


@pytest.mark.parametrize(
    "said",
    ["Source option 6 is no longer supported. Use 7 or later.", "Fatal error compiling: invalid target release: 1.4"],
)
def test_levels_that_javac_refuses_are_told_from_compile_errors(said: str) -> None:
    found = failure(GOAL.format(COMPILER.format("compile", "compile"), said))
    assert found.outcome is BuildOutcome.LEVEL_UNSUPPORTED
    assert "build.level_override" in found.reason


@pytest.mark.parametrize(
    ("said", "feature"),
    [
        ("Fatal error compiling: invalid flag: --release", 9),
        ("Fatal error compiling: error: release version 21 not supported", 21),
        ("Fatal error compiling: invalid target release: 1.9", 9),
        ("Fatal error compiling: error: invalid source release: 17", 17),
    ],
)
def test_a_level_that_a_newer_jdk_compiles_asks_for_it(said: str, feature: int) -> None:
    """Whatever revision it is: the POMs say so, perhaps a parent in a registry, or an execution for one file."""
    text = GOAL.format(COMPILER.format("compile", "compile"), said)
    found = failure(text, jdk=8)
    assert found.newer is not None
    assert (found.outcome, found.newer.feature) == (BuildOutcome.NEWER_JDK_NEEDED, feature)
    assert not found.by_compiler
    assert failure(text, jdk=feature).outcome is BuildOutcome.LEVEL_UNSUPPORTED


@pytest.mark.parametrize(
    ("said", "name"),
    [
        (
            "[ERROR] Failed to execute goal on project core: Could not resolve dependencies for project g:core:jar:1: "
            "Could not find artifact x:y:jar:1.0 in central (address) -> [Help 1]",
            "x:y:jar:1.0",
        ),
        (
            "[ERROR] Plugin org.x:p:1 or one of its dependencies could not be resolved: "
            "Cannot access central (address) in offline mode and the artifact org.x:p:jar:1 has not been downloaded "
            "from it before. -> [Help 1]",
            "org.x:p:jar:1",
        ),
        (
            "[FATAL] Non-resolvable parent POM for g:a:1: Could not find artifact g:parent:pom:7 in central and "
            "'parent.relativePath' points at wrong local POM @ line 5, column 11",
            "g:parent:pom:7",
        ),
        (
            "[ERROR] Failed to execute goal on project core: Could not collect dependencies for project g:core:jar:1\n"
            "[ERROR] Failed to read artifact descriptor for x:y:jar:0.4.0\n[ERROR] \tCaused by: The following "
            "artifacts could not be resolved: x:y:pom:0.4.0 (absent): Could not transfer x:y:pom:0.4.0",
            "x:y:jar:0.4.0",
        ),
        (
            "[ERROR] Failed to execute goal on project core: Could not collect dependencies for project g:core:jar:1\n"
            "[ERROR] Failed to read artifact descriptor for x:y:jar:0.4.0\n[ERROR] \tCaused by: no more",
            "x:y:jar:0.4.0",
        ),
    ],
)
def test_missing_artifacts_are_named(said: str, name: str) -> None:
    found = failure(said)
    assert found.outcome is BuildOutcome.DEPENDENCY_UNAVAILABLE
    assert f"needs {name}, which could not be resolved" in found.reason


def test_an_extension_that_is_missing_is_named() -> None:
    kind = "org.apache.maven.cli.internal.ExtensionResolutionException"
    missing = "e:ext:jar:2 was not found in https://r.example/ during a previous attempt."
    said = f"{kind}: Extension e:ext:2 or one of its dependencies could not be resolved: {missing}"
    found = failure(
        "[ERROR] Error executing Maven.", said, "    at org.apache.maven.cli.MavenCli.main (MavenCli.java:1)"
    )
    assert (found.outcome, "needs e:ext:jar:2," in found.reason) == (BuildOutcome.DEPENDENCY_UNAVAILABLE, True)


def test_an_extension_that_fails_is_told_in_its_words() -> None:
    found = failure(
        "[ERROR] Error executing Maven.", "java.lang.IllegalStateException: no licence", "    at e.E.f (E.java:1)"
    )
    assert (found.outcome, found.reason) == (
        BuildOutcome.BUILD_TOOL_FAILED,
        "owner/repo at 1a2b3c4: Maven failed: no licence",
    )


def test_unreadable_projects_are_told_apart() -> None:
    found = failure(
        "[ERROR] The build could not read 1 project -> [Help 1]",
        "[ERROR]     'dependencies.dependency.version' for x:y:jar is missing. @ line 9, column 17",
    )
    assert found.outcome is BuildOutcome.UNREADABLE_BUILD_FILE
    assert "'dependencies.dependency.version' for x:y:jar is missing" in found.reason


def test_any_other_goal_that_fails_is_named() -> None:
    goal = "maven-antrun-plugin:1.8:run (x) on project core"
    found = failure(GOAL.format(goal, "An Ant BuildException has occurred"))
    assert found.outcome is BuildOutcome.BUILD_TOOL_FAILED
    assert "the goal maven-antrun-plugin:run failed in module core: An Ant BuildException" in found.reason


def test_a_message_of_the_compiler_without_a_place_is_told() -> None:
    goal = "maven-compiler-plugin:3.8.1:compile (default-compile) on project core"
    found = failure(GOAL.format(goal, "Compilation failure"), "[ERROR] a processor could not be instantiated")
    assert found.outcome is BuildOutcome.BUILD_TOOL_FAILED
    assert found.reason.endswith("Compilation failure: a processor could not be instantiated")


def test_a_run_past_its_limit_is_timed_out() -> None:
    assert failure(timed_out=True).outcome is BuildOutcome.TIMED_OUT


NO_TOOLS = (
    "[ERROR] Failed to execute goal on project core: Could not resolve dependencies for project g:core:jar:1: "
    "Could not find artifact com.sun:tools:jar:1.7 at specified path /jdk/lib/../lib/tools.jar -> [Help 1]",
)
NO_CORE_CLASS = (
    "[ERROR] COMPILATION ERROR : ",
    "[ERROR] /scratch/checkout/src/A.java:[3,1] cannot access java.io.IOException",
    "  class file for java.io.IOException not found",
    GOAL.format(COMPILER.format("compile", "compile"), "Compilation failure"),
)


@pytest.mark.parametrize(
    ("said", "part"), [(NO_TOOLS, "tools.jar (com.sun:tools)"), (NO_CORE_CLASS, "cannot access java.io.IOException")]
)
def test_a_build_that_needs_jdk_8_says_so(said: tuple[str, ...], part: str) -> None:
    """Neither the network nor the code is at fault."""
    found = failure(*said)
    assert found.outcome is BuildOutcome.OLDER_JDK_NEEDED
    assert "needs JDK 8 and was built with JDK 17" in found.reason and part in found.reason
    assert "Install a JDK 8, name it in build.java_homes" in found.reason


def test_with_jdk_8_the_same_words_mean_what_they_say() -> None:
    assert failure(*NO_TOOLS, jdk=8).outcome is BuildOutcome.DEPENDENCY_UNAVAILABLE
    assert failure(*NO_CORE_CLASS, jdk=8).outcome is BuildOutcome.PRODUCTION_COMPILE_ERROR


@pytest.mark.parametrize("said", ["cannot access javax.servlet.ServletException", "package java.sql is not visible"])
def test_classes_of_libraries_and_modules_need_no_older_jdk(said: str) -> None:
    goal = GOAL.format(COMPILER.format("compile", "compile"), "Compilation failure")
    found = failure(f"[ERROR] /scratch/checkout/src/A.java:[3,1] {said}", goal)
    assert found.outcome is BuildOutcome.PRODUCTION_COMPILE_ERROR


NEW_MOJO = GOAL.format(
    "formatter-maven-plugin:2.24.1:format (default) on project core",
    "Execution default of goal format failed: Unable to load the mojo 'format' in the plugin 'formatter-maven-plugin' "
    "due to an API incompatibility: ComponentLookupException: g/FormatterMojo has been compiled by a more recent "
    "version of the Java Runtime (class file version 55.0), this version of the Java Runtime only recognizes class "
    "file versions up to 52.0",
)
FAILED = GOAL.format("other-maven-plugin:1:go (default) on project core", "it failed")
NEW_LIBRARY = (
    "[ERROR] COMPILATION ERROR : ",
    "[ERROR] /scratch/checkout/src/A.java:[3,1] cannot access l.Lib",
    "  bad class file: /repository/l/l/1/l-1.jar(l/Lib.class)",
    "    class file has wrong version 61.0, should be 52.0",
    GOAL.format(COMPILER.format("compile", "compile"), "Compilation failure"),
)


@pytest.mark.parametrize(
    ("said", "what", "needed"), [((NEW_MOJO,), "g/FormatterMojo", 11), (NEW_LIBRARY, "a library", 17)]
)
def test_a_build_that_needs_a_newer_jdk_says_which(said: tuple[str, ...], what: str, needed: int) -> None:
    found = failure(*said, jdk=8)
    assert (found.outcome, found.newer and found.newer.feature) == (BuildOutcome.NEWER_JDK_NEEDED, needed)
    assert f"was built with JDK 8, and {what} needs JDK {needed} or newer" in found.reason


def test_of_several_class_files_the_newest_decides() -> None:
    found = failure(*NEW_LIBRARY, NEW_MOJO, jdk=8)
    assert found.newer is not None and found.newer.feature == 17


def test_class_files_that_the_jdk_reads_need_no_newer_one() -> None:
    assert failure(NEW_MOJO, jdk=11).outcome is BuildOutcome.BUILD_TOOL_FAILED, "another JVM has said it"
    assert failure("[INFO] class file has wrong version 61.0, should be 52.0", FAILED, jdk=8).newer is None


def refused(said: str, jdk: int):  # type: ignore[no-untyped-def]
    end = (
        "Error: Could not create the Java Virtual Machine.\nError: A fatal exception has occurred. Program will exit.\n"
    )
    run = Finished(("mvn",), 1, b"", f"{said}\n{end}".encode(), False)
    return read_failure(run, FOLDER, "owner/repo at 1a2b3c4", 900, jdk)


@pytest.mark.parametrize(
    ("option", "jdk", "needed"),
    [("--add-exports", 8, 9), ("--enable-native-access=ALL-UNNAMED", 11, 16), ("--show-version", 8, 9)],
)
def test_an_option_in_jvm_config_that_an_old_jdk_does_not_know_needs_a_newer_one(option, jdk, needed) -> None:
    found = refused(f"Unrecognized option: {option}", jdk)
    assert (found.outcome, found.newer and found.newer.feature) == (BuildOutcome.NEWER_JDK_NEEDED, needed)
    assert option.partition("=")[0] in found.reason


@pytest.mark.parametrize(
    ("said", "option"),
    [
        ("Unrecognized VM option 'UseConcMarkSweepGC'", "UseConcMarkSweepGC"),
        ("Unrecognized option: --none-such", "--none-such"),
    ],
)
def test_an_option_in_jvm_config_that_no_newer_jdk_would_know_is_named(said, option) -> None:
    found = refused(said, 17)
    assert (found.outcome, found.newer) == (BuildOutcome.BUILD_TOOL_FAILED, None)
    assert f"JDK 17 does not know the option {option} of its JVM (.mvn/jvm.config)" in found.reason


@pytest.mark.parametrize(
    ("said", "cause"),
    [
        (
            "OpenJDK 64-Bit Server VM warning: ignoring option MaxPermSize=4g; support was removed in 8.0\n"
            "Conflicting collector combinations in option list; please refer to the release notes",
            "Conflicting collector combinations in option list; please refer to the release notes",
        ),
        (
            "Error occurred during initialization of VM\n"
            "Initial heap size set to a larger value than the maximum heap size",
            "Initial heap size set to a larger value than the maximum heap size",
        ),
        ("", "it does not say why"),
    ],
)
def test_why_a_jvm_does_not_start_is_named(said: str, cause: str) -> None:
    found = refused(said, 8)
    assert found.outcome is BuildOutcome.BUILD_TOOL_FAILED
    assert found.reason == (
        f"owner/repo at 1a2b3c4: Maven's JVM does not start with the project's options (.mvn/jvm.config): {cause}."
    )


OUT_OF_HEAP = "java.lang.OutOfMemoryError: Java heap space"
UNKNOWN = ("[ERROR] COMPILATION ERROR : ", "[ERROR] An unknown compilation problem occurred")


@pytest.mark.parametrize(
    "lines",
    [
        (OUT_OF_HEAP, *UNKNOWN, GOAL.format(COMPILER.format("compile", "compile"), "Compilation failure")),
        (f"[ERROR] Failed to execute goal g:some-plugin:1:go (default) on project core: {OUT_OF_HEAP} -> [Help 1]",),
    ],
)
def test_a_heap_that_is_too_small_is_named_with_its_key(lines: tuple[str, ...]) -> None:
    found = failure(*lines)
    assert found.outcome is BuildOutcome.BUILD_TOOL_FAILED
    assert found.reason == (
        "owner/repo at 1a2b3c4: Maven ran out of its heap (Java heap space). Raise build.memory_mb."
    )


def test_code_that_javac_refuses_is_not_told_by_a_heap() -> None:
    place = "[ERROR] /scratch/checkout/core/src/A.java:[12,5] cannot find symbol"
    found = failure(OUT_OF_HEAP, UNKNOWN[0], place, GOAL.format(COMPILER.format("compile", "compile"), "Compilation"))
    assert found.outcome is BuildOutcome.PRODUCTION_COMPILE_ERROR

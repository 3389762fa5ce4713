"""Advice for each reason that keeps repositories, commits, pairs and candidates from becoming tasks."""

from collections.abc import Mapping

from testevo.records.base import DocumentedEnum
from testevo.records.changes import PairRejection, TestFileRejection
from testevo.records.labels import DropReason
from testevo.records.repository import CommitRejection, RepositoryRejection
from testevo.records.verdicts import BuildOutcome, SuiteOutcome

ADVICE: Mapping[type[DocumentedEnum], Mapping[DocumentedEnum, str]] = {
    RepositoryRejection: {
        RepositoryRejection.CLONE_FAILED: "Check the address, the network and your right to read it",
        RepositoryRejection.EMPTY: "Commit something, or give another history",
        RepositoryRejection.SHALLOW: "Then run this command again",
        RepositoryRejection.START_MISSING: "Give --start with a tag, branch or commit that the history holds",
        RepositoryRejection.NO_COMMIT_BEFORE_CUTOFF: "Give a later day with --until",
        RepositoryRejection.NO_BUILD_FILE: "Only Maven projects can be mined; give --start at a commit with a pom.xml",
        RepositoryRejection.JAVA_TOO_OLD: "Lower rules.walk.least_java_level, mine with --preset released, or "
        "give a later --start",
        RepositoryRejection.RELEASES_UNAVAILABLE: "Give other releases with --versions",
    },
    CommitRejection: {
        CommitRejection.EQUAL_JAVA: "Walk more commits with --limit",
        CommitRejection.NO_JAVA_CHANGE: "Walk more commits with --limit, or give a --start before changes of Java code",
        CommitRejection.INCOMPLETE: "Give a clone with all files, made without --filter",
        CommitRejection.UNWRITABLE: "Walk more commits with --limit; this one can be checked out nowhere",
        CommitRejection.ISOLATED: "Walk more commits with --limit, or widen rules.pairs.gap_hours",
    },
    BuildOutcome: {
        BuildOutcome.NO_BUILD_FILE: "Give a --start and a --limit among the commits that have a pom.xml at top level",
        BuildOutcome.UNREADABLE_BUILD_FILE: "Give a --start among the commits whose POMs Maven reads",
        BuildOutcome.LEVEL_UNSUPPORTED: "Install a JDK for that level and mine with --retry, or override the level",
        BuildOutcome.OLDER_JDK_NEEDED: "Install a JDK 8, name it in build.java_homes, and mine with --retry",
        BuildOutcome.NEWER_JDK_NEEDED: "Install the JDK that the reason names, and mine with --retry",
        BuildOutcome.DEPENDENCY_UNAVAILABLE: "Check network, build.mirror and build.offline and mine with --retry; "
        "what no repository publishes any more cannot be had: give a later --start",
        BuildOutcome.PRODUCTION_COMPILE_ERROR: "Try another --start, or override the Java level of the repository",
        BuildOutcome.TEST_COMPILE_ERROR: "Try another --start, or override the Java level of the repository",
        BuildOutcome.BUILD_TOOL_FAILED: "Build that commit by hand with `mvn test-compile` to see what it needs",
        BuildOutcome.ENCODING_UNREAD: "Give a --start among the commits whose sources have another encoding",
        BuildOutcome.CHECK_FAILED: "Take the plugin out of rules.pairs.required_checks, or mine with --preset strict",
        BuildOutcome.TIMED_OUT: "Raise build.seconds and mine with --retry",
        BuildOutcome.NOT_TRIED: "Give a --start at a commit that builds, or set build.baseline_commits: 0 to try all",
    },
    SuiteOutcome: {
        SuiteOutcome.RED: "Run that test by hand with `mvn test`; when it passes there, compare with build.engine: "
        "maven; when it fails there too, list it under overrides.tolerated_tests",
        SuiteOutcome.NO_TESTS: "Check that the project has JUnit tests where its POM looks for them; where it names "
        "no version of Surefire, put Maven 3.9 or newer on the PATH, whose own choice runs JUnit 5",
        SuiteOutcome.CRASHED: "Run `mvn test` at that commit; a test may end its JVM or need more memory",
        SuiteOutcome.TIMED_OUT: "Raise execution.suite_seconds",
        SuiteOutcome.NOT_RUN: "See why the commit is not built",
        SuiteOutcome.NEEDS_SUREFIRE: "Install bubblewrap, or say yes to running its tests outside any sandbox: "
        "`--sandbox none` and --retry",
    },
    PairRejection: {
        PairRejection.OUTSIDE_GAP: "Widen rules.pairs.gap_hours",
        PairRejection.ENDPOINT_UNUSABLE: "See why commits are not built or their suites not green",
        PairRejection.NOT_ANCESTOR: "Nothing to fix: the two commits do not follow each other",
        PairRejection.NO_JAVA_CHANGE: "Nothing to fix: there is no code to compare",
        PairRejection.NO_TEST_TOUCHED: "Walk more commits with --limit: these change code that no test is near",
    },
    TestFileRejection: {
        TestFileRejection.OTHER_LANGUAGE: "Nothing to fix: tests in other languages than Java are no candidates",
        TestFileRejection.OTHER_FRAMEWORK: "Nothing to fix: tests of other frameworks than JUnit are no candidates",
    },
    DropReason: {
        DropReason.TEST_KIND: "Widen rules.changes.test_kinds",
        DropReason.SYNTAX_UNREAD: "Nothing to fix: what such a file declares is not known",
        DropReason.REMOVED: "Nothing to fix: the test is gone",
        DropReason.NOT_TEXTUALLY_CHANGED: "Nothing to fix: the test stayed as it was",
        DropReason.AMBIGUOUS_DEPENDENCY: "Nothing to fix: class paths decide which of these classes ran",
        DropReason.CALLS_UNKNOWN: "Run that test by hand with `mvn test`; it may end its JVM or need more time",
        DropReason.NO_DEPENDENCY: "Walk more commits with --limit: these tests call no method that changed",
        DropReason.LOST_DEPENDENCY: "Mine with --preset strict, which keeps these dependencies",
        DropReason.OUTSIDE_GAP: "Widen rules.pairs.gap_hours",
        DropReason.HELPER_CHANGED: "Loosen rules.filters.helpers",
        DropReason.NOT_DECLARED: "Nothing to fix: the sources of the repository do not have the method that runs, or "
        "have it in a nested class of an abstract one",
        DropReason.NOT_A_TEST_BEFORE: "Mine with --preset strict, which swaps whole files",
        DropReason.DECLARED_ELSEWHERE: "Nothing to fix: the change moves the test between classes or files",
        DropReason.ANNOTATIONS_CHANGED: "Set rules.changes.test_annotations to true",
        DropReason.TEST_REFACTORED: "Loosen rules.filters.refactoring",
        DropReason.CODE_REFACTORED: "Loosen rules.filters.refactoring",
        DropReason.MOVED: "Set rules.filters.moves to false",
        DropReason.NEW_TEST_FAILS: "Look at the logs of the run: the project may need what a sandbox lacks",
        DropReason.OLD_TEST_FAILS: "Look at the logs of the run: the project may need what a sandbox lacks",
        DropReason.OUTPUT_LOST: "Set rules.filters.lost_output to false",
        DropReason.CONSOLE_FAILS: "Set rules.filters.console_launcher to false",
        DropReason.UNSTABLE: "Nothing to fix: the test itself wavers",
        DropReason.COLLATERAL_COMPILE_ERROR: "Mine with --preset released, or loosen "
        "rules.filters.collateral_compile_errors",
        DropReason.NOT_RUNNABLE: "Look at the logs of the run with `testevo task list --dropped`",
        DropReason.REFINEMENT: "Walk more commits with --limit: here old tests pass on new code too",
        DropReason.REDUNDANT: "Walk more commits with --limit: here new tests pass on old code too",
        DropReason.UNCHANGED: "Walk more commits with --limit: these tests did not change with the code",
    },
}
"""By enumeration first: members of two of them may have the same word."""


def advice(reason: DocumentedEnum) -> str:
    """Advice against a reason; its meaning where there is nothing to try."""
    return ADVICE.get(type(reason), {}).get(reason, f"It means: {reason.doc}")

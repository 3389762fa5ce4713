"""`BuildVerdict` and `SuiteVerdict`: what the stage `build_check` writes, one of each per kept commit."""

from collections.abc import Iterable, Mapping
from typing import Any

from testevo.records.base import DocumentedEnum, Part, Record
from testevo.records.methods import TestKey
from testevo.runtime.machine_faults import MEMORY, NETWORK, PROGRAM, TIME, MachineFault


class BuildOutcome(DocumentedEnum):
    """How the build of a revision ended (TEB-M08, M13)."""

    BUILT = "built", "production and test code compile"
    NO_BUILD_FILE = "no_build_file", "no pom.xml at top level"
    UNREADABLE_BUILD_FILE = "unreadable_build_file", "a POM is malformed, its parent unknown, or modules form a cycle"
    LEVEL_UNSUPPORTED = "level_unsupported", "no JDK on this machine compiles the declared Java level"
    OLDER_JDK_NEEDED = "older_jdk_needed", "the build needs parts of JDK 8 that the JDK of this build has not"
    NEWER_JDK_NEEDED = "newer_jdk_needed", "a plugin or library needs a newer JDK than any here that fits the project"
    DEPENDENCY_UNAVAILABLE = "dependency_unavailable", "a dependency, parent or plugin cannot be resolved"
    PRODUCTION_COMPILE_ERROR = "production_compile_error", "production code does not compile"
    TEST_COMPILE_ERROR = "test_compile_error", "test code does not compile"
    BUILD_TOOL_FAILED = "build_tool_failed", "the build tool failed for another reason"
    ENCODING_UNREAD = "encoding_unread", "it builds, and a source has an encoding that is not read here"
    CHECK_FAILED = "check_failed", "it builds, and a plugin of `rules.pairs.required_checks` refuses it"
    TIMED_OUT = "timed_out", "the build passed its time limit"
    NOT_TRIED = "not_tried", "not built, because none of the newest kept commits builds (`build.baseline_commits`)"

    @property
    def compiled(self) -> bool:
        """Whether a compiler had a say, so that one engine or the other served the commit."""
        return self in _COMPILED

    @property
    def possible_fault(self) -> MachineFault | None:
        """The fault of the machine that may be behind it, so that `--retry` builds again."""
        return _FAULTS_OF_BUILDS.get(self)


_COMPILED = (
    BuildOutcome.BUILT,
    BuildOutcome.CHECK_FAILED,
    BuildOutcome.PRODUCTION_COMPILE_ERROR,
    BuildOutcome.TEST_COMPILE_ERROR,
)
_FAULTS_OF_BUILDS = {
    BuildOutcome.LEVEL_UNSUPPORTED: PROGRAM,
    BuildOutcome.OLDER_JDK_NEEDED: PROGRAM,
    BuildOutcome.NEWER_JDK_NEEDED: PROGRAM,
    BuildOutcome.DEPENDENCY_UNAVAILABLE: NETWORK,
    BuildOutcome.BUILD_TOOL_FAILED: PROGRAM,
    BuildOutcome.TIMED_OUT: TIME,
}


class Diagnostic(Part):
    """A compiler message."""

    path: str
    """Relative to the repository."""
    line: int
    code: str
    message: str


class SourceEncoding(Part):
    """The encoding in which the files of a source folder are compiled."""

    folder: str
    """Relative to the repository."""
    encoding: str
    """As the build names it to the compiler; `a/b` where it names several."""


def encoding_below(folders: Iterable[SourceEncoding], path: str) -> str | None:
    """The encoding of the innermost of these source folders that a file lies in; None when it lies in none."""
    found = [one for one in folders if one.folder == "" or path.startswith(f"{one.folder}/")]
    return max(found, key=lambda one: len(one.folder)).encoding if found else None


SurefireReasons = dict[str, str]
"""By the path of a module, why only Surefire runs its tests as Maven does; the launcher runs those of other modules.

Each reason is a text that stands alone: it names the module that it comes from, unless that is the root.
"""


def in_module(reason: str, path: str) -> str:
    """A reason with the module that it comes from."""
    return f"{reason} in module {path}" if path else reason


def first_reason(reasons: SurefireReasons) -> str | None:
    """The reason of the first module; None where the launcher runs all tests."""
    return next(iter(reasons.values()), None)


class BuildVerdict(Record):
    """Whether a revision builds, with what, and why not."""

    repository: str
    revision: str
    outcome: BuildOutcome
    reason: str
    """The whole sentence for a person: thing, reason, next step; '' when built."""
    fingerprint: str | None = None
    """Key of the build model: POM blobs, .mvn, JDK."""
    java_level: str | None = None
    jdk: int | None = None
    """Feature version of the JDK."""
    jdk_reason: str | None = None
    modules: tuple[str, ...] = ()
    fallback: str | None = None
    """Why Maven, not the in-process compiler, built it; None for the normal case."""
    surefire: SurefireReasons = {}
    """By module, why only Surefire runs its tests as Maven does; no module for the normal case."""
    diagnostics: tuple[Diagnostic, ...] = ()
    inherited_licence: str | None = None
    """SPDX id that a parent outside the repository declares, when the project's own POMs declare no licence."""
    inherited_licence_origin: str | None = None
    """The parent that says so, or why none is known; None where there is no such parent, or nothing was built."""
    encodings: tuple[SourceEncoding, ...] | None = None
    """Of all source folders, where one is compiled in another encoding than UTF-8; None where nothing is known."""

    def encoding_of(self, path: str) -> str | None:
        """The encoding of a source file; UTF-8 for one below no source folder, None where nothing is known."""
        if self.encodings is None:
            return None
        return encoding_below(self.encodings, path) or "UTF-8"

    def sort_key(self) -> tuple[object, ...]:
        return (self.repository, self.revision)


class Outcome(DocumentedEnum):
    """How one run of one test method ended (TEB-X04)."""

    PASSED = "passed", "ran and passed"
    ASSERTION_FAILED = "assertion_failed", "failed by an assertion error"
    EXCEPTION = "exception", "failed by any other exception or error"
    COMPILE_ERROR_IN_METHOD = "compile_error_in_method", "the test method itself does not compile"
    COMPILE_ERROR_IN_FILE = "compile_error_in_file", "another part of the test file does not compile"
    COMPILE_ERROR_ELSEWHERE = "compile_error_elsewhere", "another file does not compile"
    NOT_FOUND = "not_found", "the engine found no such test"
    SKIPPED = "skipped", "disabled or ignored"
    ABORTED = "aborted", "a failed assumption"
    TIMED_OUT = "timed_out", "passed its time limit and was killed"
    CRASHED = "crashed", "the JVM ended without a verdict (exit, halt, crash, out of memory)"
    INFRASTRUCTURE = "infrastructure", "the harness failed; says nothing about the test"

    @property
    def failed(self) -> bool:
        """Failed by executing: assertion, exception, time-out or crash."""
        return self in (Outcome.ASSERTION_FAILED, Outcome.EXCEPTION, Outcome.TIMED_OUT, Outcome.CRASHED)

    @property
    def compile_error(self) -> bool:
        return self.value.startswith("compile_error")


class SuiteOutcome(DocumentedEnum):
    """How the suite of a revision ended (TEB-M09, M14)."""

    GREEN = "green", "at least one test passed and none failed"
    TOLERATED = "tolerated", "only tests tolerated by the configuration failed"
    RED = "red", "some test failed"
    NO_TESTS = "no_tests", "no test was found or none passed"
    CRASHED = "crashed", "the test JVM ended without a verdict"
    TIMED_OUT = "timed_out", "the suite passed its time limit"
    NOT_RUN = "not_run", "the revision does not build"
    NEEDS_SUREFIRE = "needs_surefire", "not run: only Surefire runs these tests as Maven does, and it may not run here"

    @property
    def possible_fault(self) -> MachineFault | None:
        """The fault of the machine that may be behind it, so that `--retry` runs the suite again."""
        return _FAULTS_OF_SUITES.get(self)


_FAULTS_OF_SUITES = {SuiteOutcome.CRASHED: MEMORY, SuiteOutcome.TIMED_OUT: TIME, SuiteOutcome.NEEDS_SUREFIRE: PROGRAM}


class SuiteTest(Part):
    """A test of a suite run. Repeated invocations of one method (parameterised) are one, the worst outcome counts."""

    test: TestKey
    outcome: Outcome
    reused_from: str | None = None
    """The revision whose verdict was taken over because nothing the test loads has changed."""


class SuiteVerdict(Record):
    """The suite of a revision, test by test."""

    repository: str
    revision: str
    outcome: SuiteOutcome
    reason: str
    tests: tuple[SuiteTest, ...] = ()

    def sort_key(self) -> tuple[object, ...]:
        return (self.repository, self.revision)


def is_settled_work(entry: Mapping[str, Any]) -> bool:
    """Whether an entry of the journal of `build_check` stays: a build or a part of a suite that would end so again."""
    match entry:
        case {"build": {"outcome": outcome}}:
            return outcome in [one for one in BuildOutcome if one.possible_fault is None]
        case {"verdict": {"outcome": outcome}}:
            return outcome in [one for one in SuiteOutcome if one.possible_fault is None]
    return False  # written by another version, in a form that this one does not read

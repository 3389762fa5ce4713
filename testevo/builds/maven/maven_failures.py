"""Classify a failed Maven run: outcome, a sentence for a person, compiler messages (TEB-M08)."""

import re
from dataclasses import dataclass
from pathlib import Path

from testevo.builds.machine_failures import require_space_for, without_quotations
from testevo.builds.project.jdks import NewerJdk
from testevo.records.verdicts import BuildOutcome, Diagnostic
from testevo.runtime.processes.processes import Finished

_LINE = re.compile(r"^\[ERROR\] (/.+?\.(?:java|kt|groovy|scala)):\s?\[?\(?(\d+)(?:,\s?(\d+))?[\])]?:? ?(.*)$")
_FAILED_GOAL = re.compile(r"Failed to execute goal (\S+?):(\S+?):\S+?:(\S+)(?: \(\S+\))? on project (\S+?): (.*)")
_LEVEL = re.compile(
    r"((?:[Ss]ource|[Tt]arget) option \S+ is no longer supported[^\n]*|invalid (?:target|source) release:? \S+|"
    r"release version \S+ not supported|invalid flag: --release)"
)
_LEVEL_NUMBER = re.compile(r"(?:invalid (?:target|source) release:? |release version )(?:1\.)?(\d+)")
_RELEASE_OPTION = "invalid flag: --release"
_UNREADABLE = (
    re.compile(r"Non-(?:parseable|readable) POM [^\n]*"),
    re.compile(r"Child module \S+ of \S+ does not exist"),
    re.compile(r"The projects in the reactor contain a cyclic reference[^\n]*"),
    re.compile(r"'[\w.]+' (?:for \S+ )?is missing[^\n]*"),
    re.compile(r"'[\w.\[\]]+' (?:for \S+ )?must (?:be|not)[^\n]*"),
    re.compile(r"Malformed POM [^\n]*"),
)
_ARTIFACT = (
    re.compile(r"Could not find artifact (\S+)"),
    re.compile(r"Cannot access \S+ \([^)]{0,500}\) in offline mode and the artifact (\S+) has not been downloaded"),
    re.compile(r"Failure to (?:find|transfer) (\S+) (?:in|from) "),
    re.compile(r"(?<!\S)([^\s:]+:[^\s:]+:\S+) was not found in \S+ during a previous attempt"),
    re.compile(
        r"(?:Could not|Failed to) (?:transfer|collect|read) "
        r"(?:artifact descriptor for|artifact|metadata|dependencies at) (\S+)"
    ),
    re.compile(r"Plugin (\S+) or one of its dependencies could not be resolved"),
    re.compile(r"The following artifacts could not be resolved: (\S+?)[,:]? "),
    re.compile(r"Non-resolvable (?:parent POM|import POM)[^:]{0,500}: ?\S* ?(\S+:\S+)"),
    re.compile(r"No versions? available for (\S+)"),
)
_DEPENDENCY = re.compile(
    r"could not be resolved|Could not (?:resolve|collect dependencies)|Non-resolvable|No versions? available for|"
    r"in offline mode and the artifact|DependencyResolutionException|ArtifactResolutionException"
)


_COMPILER = "maven-compiler-plugin"
_CHECK = "Check the network, build.mirror and build.offline."

_TOOLS_JAR = re.compile(r"com\.sun:tools\b|jdk\.tools:jdk\.tools\b|(?<![\w-])tools\.jar\b")
_NO_CORE_CLASS = re.compile(r"cannot access java\.[a-z]+\.[\w.$]+")
"""Message of javac 9 and later where a plug-in of an older one replaces its file manager: it then finds no class of
the JDK."""


_NEWER_CLASS = re.compile(
    r"(?:(?<![\w/.$])([\w/.$]+) has been compiled by a more recent version of the Java Runtime \(class file version |"
    r"class file has wrong version |Unsupported major\.minor version )(\d+)\.\d+"
)
"""The messages of a JVM about a class, and of javac about a library, compiled for a newer Java."""
_REFUSED_OPTION = re.compile(r"^(?:Unrecognized option: (--[\w-]+)|Unrecognized VM option '([^'\n]+)')", re.MULTILINE)
"""What a JVM says that does not start; in a build, `.mvn/jvm.config` is where its options come from."""
_FIRST_WITH_OPTION = {
    "--enable-preview": 11,
    "--enable-native-access": 16,
    "--finalization": 18,
    "--sun-misc-unsafe-memory-access": 23,
    "--illegal-native-access": 24,
    "--enable-final-field-mutation": 26,
}
"""The first JDK that knows an option of two dashes; JDK 8 knows none of them."""
_FIRST_WITH_LONG_OPTIONS = 9
_FIRST_CLASS_FILE = 44
"""The class files of Java N have this version and N."""
_NO_JVM = ("Error: Could not create the Java Virtual Machine.", "Error occurred during initialization of VM")
"""What a JVM that does not start says of any cause."""
_PROGRAM_ENDS = "Error: A fatal exception has occurred. Program will exit."
_NO_HEAP = re.compile(
    r"^(?:\[ERROR\] .*?)?java\.lang\.OutOfMemoryError: (Java heap space|GC overhead limit exceeded)", re.M
)
_BEFORE_PROJECTS = re.compile(r"^\[ERROR\] Error executing Maven\.\s*\n(?:[\w.$]+: )?(?!\[)([^\n]+)", re.MULTILINE)
"""What Maven says, with `-e`, when it fails before it reads a project, as with an extension that is missing."""
_UNPLACED = "Compilation failure"
"""All that Maven says in the first line about a message of the compiler that has no place."""
_LEVEL_OF_LINE = re.compile(r"^\[[A-Z]+\]")


@dataclass(frozen=True)
class MavenFailure:
    """Why Maven did not succeed."""

    outcome: BuildOutcome
    reason: str
    diagnostics: tuple[Diagnostic, ...] = ()
    newer: NewerJdk | None = None
    """With the outcome NEWER_JDK_NEEDED, and only then."""
    by_compiler: bool = False
    """With `newer`: the compiler has said so, which may depend on the sources; else a plugin has."""


def read_failure(finished: Finished, folder: Path, what: str, seconds: float, jdk: int | None = None) -> MavenFailure:
    """Explain a Maven run that did not succeed.

    Args:
        finished: the run.
        folder: where it ran; paths of compiler messages become relative to it.
        what: names the revision in messages, as in `owner/repo at 1a2b3c4`.
        seconds: its time limit.
        jdk: feature version of the JDK it ran on, when known.

    Raises:
        MachineError: the disk is full.
    """
    if finished.timed_out:
        reason = f"The build of {what} passed its limit of {seconds:g} s. Raise build.seconds."
        return MavenFailure(BuildOutcome.TIMED_OUT, reason)
    text = finished.text
    errors = _errors(text)
    require_space_for(without_quotations(errors))
    if told := _BEFORE_PROJECTS.search(text):
        errors = f"[ERROR] {told.group(1)}\n{errors}"
    goal = _FAILED_GOAL.search(errors)
    diagnostics = read_diagnostics(errors, folder)
    level = _LEVEL.search(errors)
    if level and goal and goal.group(2) == _COMPILER:
        return _refused_level(level.group(1), what, jdk)
    by_compiler = goal is not None and goal.group(2) == _COMPILER
    if newer := newer_jdk(_with_further_lines(text), jdk):
        return newer_jdk_failure(newer, what, jdk, diagnostics, by_compiler=by_compiler)
    resolves = _DEPENDENCY.search(errors) is None
    said = "\n".join(one.message for one in diagnostics) if diagnostics or resolves else errors
    if older := older_jdk_reason(said, what, jdk):
        return MavenFailure(BuildOutcome.OLDER_JDK_NEEDED, older)
    if goal and diagnostics and re.search("compile", goal.group(3), re.IGNORECASE):
        return _compile_error(goal.group(3), diagnostics, what)
    other = MavenFailure(
        BuildOutcome.BUILD_TOOL_FAILED, f"{what}: {_cause(goal, errors, finished, folder)}", diagnostics
    )
    if not errors:
        other = _refused_option(text, what, jdk) or _no_jvm(text, what) or other
    elif no_heap := _NO_HEAP.search(without_quotations(text)):
        reason = f"{what}: Maven ran out of its heap ({no_heap.group(1)}). Raise build.memory_mb."
        other = MavenFailure(BuildOutcome.BUILD_TOOL_FAILED, reason, diagnostics)
    missing = None if resolves else MavenFailure(BuildOutcome.DEPENDENCY_UNAVAILABLE, _missing(errors, what))
    return missing or _unreadable(errors, what, folder) or other


def read_diagnostics(text: str, folder: Path) -> tuple[Diagnostic, ...]:
    """Compiler errors in Maven's output, each once, sorted by place."""
    found: dict[Diagnostic, None] = {}
    for line in text.splitlines():
        match = _LINE.match(line)
        if match:
            path = match.group(1)
            relative = path.removeprefix(f"{folder}/") if path.startswith(f"{folder}/") else Path(path).name
            found[Diagnostic(path=relative, line=int(match.group(2)), code="", message=match.group(4).strip())] = None
    return tuple(sorted(found, key=lambda item: (item.path, item.line, item.message)))


def newer_jdk(said: str, jdk: int | None) -> NewerJdk | None:
    """The JDK that all named class files can be loaded with; None where the JDK of the build loads them.

    Args:
        said: messages of the build.
        jdk: feature version of the JDK of the build, when known.
    """
    named = [NewerJdk(int(version) - _FIRST_CLASS_FILE, name) for name, version in _NEWER_CLASS.findall(said)]
    newest = max(named, key=lambda one: one.feature, default=None)
    if newest is None or (jdk is not None and newest.feature <= jdk):
        return None
    return NewerJdk(newest.feature, newest.what or "a library")


def _refused_level(said: str, what: str, jdk: int | None) -> MavenFailure:
    """The failure of a build whose compiler refuses a level."""
    if newer := _jdk_of_level(said, jdk):
        return newer_jdk_failure(newer, what, jdk)
    advice = "Install a JDK that compiles it, or set build.level_override."
    return MavenFailure(BuildOutcome.LEVEL_UNSUPPORTED, f"{what}: {said.rstrip('.')}. {advice}")


def _jdk_of_level(said: str, jdk: int | None) -> NewerJdk | None:
    """The JDK that knows what the compiler refuses, where it may be told in an execution or a parent that no POM at
    hand declares as the level of the project; None where that is too old, or the JDK of the build is unknown."""
    if _RELEASE_OPTION in said:
        newer = NewerJdk(_FIRST_WITH_LONG_OPTIONS, "the option --release of its compiler")
    elif number := _LEVEL_NUMBER.search(said):
        newer = NewerJdk(int(number[1]), f"Java level {number[1]}")
    else:
        return None
    return newer if jdk is not None and newer.feature > jdk else None


def newer_jdk_failure(
    newer: NewerJdk, what: str, jdk: int | None, diagnostics: tuple[Diagnostic, ...] = (), *, by_compiler: bool = False
) -> MavenFailure:
    """The failure of a build that needs a newer JDK; `what` names the revision, `jdk` is that of the build."""
    used = "an older JDK" if jdk is None else f"JDK {jdk}"
    reason = (
        f"{what} was built with {used}, and {newer.what} needs JDK {newer.feature} or newer. Install one that also "
        f"compiles the project's Java level, name it in build.java_homes, and mine again with --retry."
    )
    return MavenFailure(BuildOutcome.NEWER_JDK_NEEDED, reason, diagnostics, newer, by_compiler)


def _refused_option(said: str, what: str, jdk: int | None) -> MavenFailure | None:
    """The failure of a build whose JVM does not start with an option; None where it has not said so."""
    refused = _REFUSED_OPTION.search(said)
    if refused is None:
        return None
    option = refused.group(1) or refused.group(2)
    where = f"the option {option} of its JVM (.mvn/jvm.config)"
    known = _FIRST_WITH_OPTION.get(option, _FIRST_WITH_LONG_OPTIONS)
    if refused.group(1) and jdk is not None and jdk < known:
        return newer_jdk_failure(NewerJdk(known, where), what, jdk)
    used = "This JDK" if jdk is None else f"JDK {jdk}"
    return MavenFailure(BuildOutcome.BUILD_TOOL_FAILED, f"{what}: {used} does not know {where}.")


def _no_jvm(said: str, what: str) -> MavenFailure | None:
    """The failure of a build whose JVM does not start for another reason; None where it has not said so."""
    lines = [line.strip() for line in said.splitlines()]
    if not any(line in _NO_JVM for line in lines):
        return None
    of_cause = (line for line in lines if line not in ("", *_NO_JVM, _PROGRAM_ENDS) and " warning: " not in line)
    cause = next(of_cause, "it does not say why").rstrip(".")[:300]
    reason = f"{what}: Maven's JVM does not start with the project's options (.mvn/jvm.config): {cause}."
    return MavenFailure(BuildOutcome.BUILD_TOOL_FAILED, reason)


def older_jdk_reason(said: str, what: str, jdk: int | None) -> str | None:
    """The sentence for a build that needs what JDK 9 removed; None where nothing says so, or JDK 8 was there.

    Args:
        said: messages of the build.
        what: names the revision.
        jdk: feature version of the JDK of the build, when known.
    """
    if jdk is not None and jdk < 9:
        return None
    found = _NO_CORE_CLASS.search(said)
    if found is None and not _TOOLS_JAR.search(said):
        return None
    part = f"a compiler plug-in for javac 8 (javac says: {found.group(0)})" if found else "tools.jar (com.sun:tools)"
    used = "a newer JDK" if jdk is None else f"JDK {jdk}"
    return (
        f"{what} needs JDK 8 and was built with {used}: it uses {part}, which newer JDKs do not support. "
        f"Install a JDK 8, name it in build.java_homes, and mine again with --retry."
    )


def compile_error_reason(what: str, side: str, diagnostics: tuple[Diagnostic, ...]) -> str:
    """The sentence for code that does not compile, the same from both engines."""
    count = f"{len(diagnostics)} error{'' if len(diagnostics) == 1 else 's'}"
    first = diagnostics[0]
    return f"{side} code of {what} does not compile ({count}), first at {first.path}:{first.line}: {first.message}"


def _with_further_lines(text: str) -> str:
    """Maven's errors with the lines that continue them, which bear no level."""
    kept, is_error = [], False
    for line in text.splitlines():
        if _LEVEL_OF_LINE.match(line):
            is_error = line.startswith("[ERROR]")
        if is_error:
            kept.append(line)
    return "\n".join(kept)


def _compile_error(goal: str, diagnostics: tuple[Diagnostic, ...], what: str) -> MavenFailure:
    in_tests = "test" in goal.lower()
    outcome = BuildOutcome.TEST_COMPILE_ERROR if in_tests else BuildOutcome.PRODUCTION_COMPILE_ERROR
    reason = compile_error_reason(what, "Test" if in_tests else "Production", diagnostics)
    return MavenFailure(outcome, reason, diagnostics)


def _next_message(errors: str) -> str:
    """The next line of Maven's errors that says something."""
    said = (line.removeprefix("[ERROR]").strip() for line in errors.splitlines())
    return next((one for one in said if one and not one.startswith("-> [Help")), "Maven says no more")


def _unreadable(errors: str, what: str, folder: Path) -> MavenFailure | None:
    for pattern in _UNREADABLE:
        found = pattern.search(errors)
        if found:
            said = found.group(0).replace(f"{folder}/", "").rstrip(" .:@")
            return MavenFailure(BuildOutcome.UNREADABLE_BUILD_FILE, f"{what}: Maven cannot read the project: {said}.")
    return None


def _missing(errors: str, what: str) -> str:
    for pattern in _ARTIFACT:
        found = pattern.search(errors)
        if found:
            name = found.group(1).rstrip(",.;:")
            return f"{what} needs {name}, which could not be resolved. {_CHECK}"
    return f"{what} needs a dependency that could not be resolved. {_CHECK}"


def told_by_maven(finished: Finished, folder: Path) -> str:
    """What Maven names as the cause of a run in a folder that did not succeed, in one line."""
    errors = _errors(finished.text)
    return _cause(_FAILED_GOAL.search(errors), errors, finished, folder)


def _errors(text: str) -> str:
    return "\n".join(line for line in text.splitlines() if line.startswith("[ERROR]") or "[FATAL]" in line)


def _cause(goal: re.Match[str] | None, errors: str, finished: Finished, folder: Path) -> str:
    if goal:
        said = goal.group(5).split(" -> [Help")[0].strip()
        if said == _UNPLACED:
            said += f": {_next_message(errors[goal.end() :])}"
        said = said.replace(f"{folder}/", "")
        return f"the goal {goal.group(2)}:{goal.group(3)} failed in module {goal.group(4)}: {said[:300]}"
    first = next((line[8:].strip() for line in errors.splitlines() if line[8:].strip()), "")
    if not first:
        first = (finished.tail(1) or f"exit status {finished.status}").strip()
    return f"Maven failed: {first.replace(f'{folder}/', '')[:300]}"

"""The JDKs of this machine, and which of them builds a project."""

import os
import re
import shutil
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from testevo.builds.machine_failures import SMALL_HEAP, Started, start
from testevo.builds.project.java_demand import Declared, JavaDemand, feature_of
from testevo.config.model import BuildOverrides
from testevo.records.verdicts import BuildOutcome
from testevo.runtime.errors import MachineError, UserError

USUAL_FOLDERS = (
    "/usr/lib/jvm",
    "/usr/java",
    "/opt/java",
    "/Library/Java/JavaVirtualMachines",
    "~/.sdkman/candidates/java",
    "~/.jdks",
    "~/.jenv/versions",
)

OLDEST_LEVEL_BY_JDK = ((20, 8), (12, 7), (9, 6), (0, 2))
"""From this JDK on, javac compiles this level and newer ones."""

DEFAULT_LEVEL = 8
"""For a project whose POMs declare none: the least level that `strict` takes (TEB-M07)."""


@dataclass(frozen=True)
class Jdk:
    """A JDK (with javac) on this machine."""

    home: Path
    feature: int
    version: str

    @property
    def oldest_level(self) -> int:
        """The oldest Java level its javac still compiles."""
        return next(level for jdk, level in OLDEST_LEVEL_BY_JDK if self.feature >= jdk)

    def compiles(self, level: int) -> bool:
        return self.oldest_level <= level <= self.feature


@dataclass(frozen=True)
class BrokenJdk:
    """A folder with a javac whose JVM does not start, or is another than its `release` file says."""

    home: Path
    fault: str
    """The sentence for a person."""
    jdk: Jdk | None
    """The JDK that its `release` file describes, if it can be read."""


@dataclass(frozen=True)
class JdkChoice:
    """The JDK that builds a project, the level it compiles for, and why."""

    jdk: Jdk
    level: str | None
    """As declared, or as overridden; None when nothing declares one."""
    overridden: bool
    reason: str
    assumed: bool = False
    """Nothing declares a level, and no parent elsewhere can: Maven is told to compile for `level`."""


@dataclass(frozen=True)
class NewerJdk:
    """A newer JDK that a build turned out to need."""

    feature: int
    what: str
    """The class that needs it, or `a library`."""


class NoSuitableJdkError(UserError):
    """No JDK on this machine compiles the declared level."""

    outcome = BuildOutcome.LEVEL_UNSUPPORTED


def find_jdks(extra: Sequence[str] = (), environment: Mapping[str, str] | None = None) -> list[Jdk]:
    """JDKs from `extra` folders, `JAVA_HOME` and `JAVA_HOME_*`, the usual folders, and the `javac` of the path.

    Each has been started. Sorted by feature version; among equal ones the first found wins, so `extra` beats the rest.

    Raises:
        MachineError: a folder of `extra` has no JDK; another one would be used in its place without a word.
    """
    if lacking := folders_without_jdk(extra):
        raise MachineError(lacking[0].fault)
    found = [jdk for home in _homes(extra, environment) if isinstance(jdk := _read_jdk(home), Jdk)]
    return sorted(found, key=lambda jdk: jdk.feature)


def broken_jdks(extra: Sequence[str] = (), environment: Mapping[str, str] | None = None) -> list[BrokenJdk]:
    """Those in the same places that do not start."""
    return [jdk for home in _homes(extra, environment) if isinstance(jdk := _read_jdk(home), BrokenJdk)]


def folders_without_jdk(named: Sequence[str]) -> list[BrokenJdk]:
    """Those folders of `build.java_homes` that have no javac: a slip of the pen, a JRE, a JDK that was removed."""
    return [
        BrokenJdk(Path(home), f"build.java_homes names {home}, which has no bin/javac. Correct or remove it.", None)
        for home in named
        if not any((place / "bin" / "javac").exists() for place in _places(Path(home).expanduser()))
    ]


def require_usable(jdk: Jdk, unusable: Iterable[BrokenJdk], what: str) -> None:
    """Refuse to build with a JDK that cannot be used.

    Args:
        jdk: the one that was chosen.
        unusable: those that are broken, or not as they were when the run began.
        what: names the revision in the message.

    Raises:
        MachineError: it is among them.
    """
    fault = next((one.fault for one in unusable if one.home == jdk.home), None)
    if fault:
        raise MachineError(
            f"{what} is built with JDK {jdk.feature}. {fault} Fix it, or remove it, then run again; finished work is "
            f"kept."
        )


def jdk_in(home: Path) -> Jdk | BrokenJdk | None:
    """The JDK in a folder; None when there is no javac in it."""
    return _read_jdk(home) if (home / "bin" / "javac").exists() else None


def _homes(extra: Sequence[str], environment: Mapping[str, str] | None) -> list[Path]:
    """Each folder with a javac once, links followed."""
    given = os.environ if environment is None else environment
    homes = [Path(home).expanduser() for home in extra]
    homes += [Path(value) for name, value in sorted(given.items()) if re.fullmatch(r"JAVA_HOME(_.+)?", name) and value]
    for folder in USUAL_FOLDERS:
        usual = Path(folder).expanduser()
        homes += sorted(usual.iterdir()) if usual.is_dir() else []
    javac = shutil.which("javac", path=given.get("PATH"))
    if javac:
        homes.append(Path(javac).resolve().parent.parent)
    places = (place for home in homes for place in _places(home))
    return list(dict.fromkeys(place.resolve() for place in places if (place / "bin" / "javac").exists()))


def _places(home: Path) -> tuple[Path, ...]:
    """Where a JDK lies in its folder; the second one on macOS."""
    return home, home / "Contents" / "Home"


def _read_jdk(home: Path) -> Jdk | BrokenJdk:
    """Identify the JDK in a folder with a javac, by its `release` file and by its JVM's own answer."""
    release = home / "release"
    text = release.read_text("utf-8", "replace") if release.is_file() else ""
    written = _jdk(home, re.search(r'^JAVA_VERSION="?([^"\n]+)', text, re.MULTILINE))
    java = home / "bin" / "java"
    if not java.is_file():
        return BrokenJdk(home, f"{home} has no bin/java.", written)
    started = _started(java, java.stat().st_mtime_ns)
    if started.fault:
        return BrokenJdk(home, started.fault, written)
    spoken = _jdk(home, re.search(r'version "([^"]+)"', started.said))
    if spoken is None:
        return BrokenJdk(home, f"`{java} -version` names no version.", written)
    if written is not None and written.feature != spoken.feature:
        fault = f"The release file of {home} says {written.version}, its java says {spoken.version}."
        return BrokenJdk(home, fault, written)
    return written or spoken


def _jdk(home: Path, version: re.Match[str] | None) -> Jdk | None:
    feature = feature_of(version.group(1)) if version else None
    return Jdk(home, feature, version.group(1)) if version and feature else None


@cache
def _started(java: Path, changed: int) -> Started:
    """Ask a JVM for its version, once in a process; `changed` is the time of change of its file (ns)."""
    started = start([str(java), *SMALL_HEAP, "-version"], {"LC_ALL": "C.UTF-8"}, Path("/"))
    if started.fault:
        print(f"WARNING: {started.fault} This JDK is not used.", file=sys.stderr)
    return started


def choose_jdk(
    demand: JavaDemand,
    jdks: Iterable[Jdk],
    overrides: BuildOverrides | None = None,
    *,
    level_override: str | None = None,
    where: str = "pom.xml",
) -> JdkChoice:
    """The smallest JDK that satisfies every demand and still compiles the lowest level.

    Args:
        demand: levels and JDK that the POMs declare.
        jdks: those installed, in the order of choice; as `find_jdks` sorts them, the smallest that fits is taken.
        overrides: what the configuration says about this repository; wins over all.
        level_override: the Java level the configuration sets for all repositories.
        where: names the build file in messages, as in `pom.xml of owner/repo at 1a2b3c4`.

    Raises:
        NoSuitableJdkError: none fits; the message names the declared level, what is installed, and the next step.
    """
    overrides = overrides or BuildOverrides()
    installed = list(jdks)
    if not installed:
        raise NoSuitableJdkError("No JDK was found on this machine. Install one, or name it in build.java_homes.")
    level = overrides.level or level_override
    if level is not None:
        feature = feature_of(level)
        if feature is None:
            raise NoSuitableJdkError(f"The level override {level!r} is not a Java level. Write 8, 11, 17 or the like.")
        declared = Declared(feature, level, "the configuration")
        demand = JavaDemand(declared, declared, None)
    if overrides.jdk is not None:
        return _overridden(demand, installed, overrides, level)
    return _smallest(demand, installed, level is not None, where)


def choose_newer_jdk(
    newer: NewerJdk,
    known: JdkChoice,
    demand: JavaDemand,
    jdks: Iterable[Jdk],
    overrides: BuildOverrides,
    *,
    level_override: str | None,
) -> JdkChoice | None:
    """The smallest JDK that a build needs on top of what its POMs declare; None where none fits.

    A JDK that the configuration sets is left as well: nothing can be built with it.

    Args:
        newer: what the build needs.
        known: the choice that it was tried with.
        demand: as for `choose_jdk`, like the rest.
    """
    new_enough = [jdk for jdk in jdks if jdk.feature >= newer.feature]
    try:
        choice = choose_jdk(
            demand, new_enough, overrides.model_copy(update={"jdk": None}), level_override=level_override
        )
    except NoSuitableJdkError:
        return None
    was = known.reason if overrides.jdk is not None else f"JDK {known.jdk.feature}"
    reason = f"{choice.reason}; {was} is too old: {newer.what} needs JDK {newer.feature}"
    return replace(choice, reason=reason)


def assume_level(choice: JdkChoice, built_in: int) -> JdkChoice:
    """`choice` with the default level, for a project that declares none and whose plugins would choose `built_in`.

    Old compiler plugins compile for Java 5 unless told otherwise, which is their habit and no demand of the project.
    """
    reason = f"{choice.reason}; the compiler plugin's own default {built_in} is older than this JDK compiles"
    return replace(choice, level=str(DEFAULT_LEVEL), assumed=True, reason=reason)


def _overridden(demand: JavaDemand, installed: list[Jdk], overrides: BuildOverrides, level: str | None) -> JdkChoice:
    for jdk in installed:
        if jdk.feature == overrides.jdk:
            reason = f"JDK {jdk.feature}: set in the configuration"
            return JdkChoice(jdk, demand.level, level is not None, f"{reason} ({overrides.reason})".replace(" ()", ""))
    raise NoSuitableJdkError(
        f"The configuration asks for JDK {overrides.jdk}, but {_names(installed)} installed. "
        f"Install it, name its folder in build.java_homes, or change overrides.jdk."
    )


def _smallest(demand: JavaDemand, installed: list[Jdk], overridden: bool, where: str) -> JdkChoice:
    lowest = demand.lowest.feature if demand.lowest else DEFAULT_LEVEL
    highest = demand.highest.feature if demand.highest else DEFAULT_LEVEL
    least = max(highest, demand.jdk.feature if demand.jdk else 0)
    for jdk in installed:
        if jdk.feature >= least and jdk.compiles(lowest):
            assumed = demand.highest is None and demand.complete
            level = str(DEFAULT_LEVEL) if assumed else demand.level
            return JdkChoice(jdk, level, overridden, _why(demand, jdk, overridden), assumed)
    raise NoSuitableJdkError(_nothing_fits(demand, installed, lowest, least, where))


def _why(demand: JavaDemand, jdk: Jdk, overridden: bool) -> str:
    if demand.highest is None:
        base = f"no POM declares a Java level; {DEFAULT_LEVEL} is assumed"
    elif overridden:
        base = f"Java {demand.highest.text} is set by the configuration"
    else:
        base = f"Java {demand.highest.text} declared by {demand.highest.place}"
    if demand.jdk is not None and (demand.highest is None or demand.jdk.feature > demand.highest.feature):
        base += f", JDK {demand.jdk.text} demanded by {demand.jdk.place}"
    return f"JDK {jdk.feature}: {base}; the smallest installed JDK that fits"


def _nothing_fits(demand: JavaDemand, installed: list[Jdk], lowest: int, least: int, where: str) -> str:
    if max(jdk.feature for jdk in installed) < least:
        asks = demand.jdk if demand.jdk and demand.jdk.feature == least else demand.highest
        text = asks.text if asks else str(least)
        return (
            f"{where} asks for Java {text}; {_names(installed)} installed. "
            f"Install JDK {least} or newer and name it in build.java_homes, or set build.level_override."
        )
    able = [jdk for jdk in installed if jdk.feature >= least]
    oldest = min(jdk.oldest_level for jdk in able)
    declared = demand.lowest.text if demand.lowest else str(lowest)
    whose = "this JDK compiles" if len(installed) == 1 else f"{_names(installed)} installed, compiling"
    return (
        f"{where} declares Java {declared}; {whose} {oldest} or newer. "
        f"Install JDK 8 and name it in build.java_homes, or set build.level_override."
    )


def _names(installed: list[Jdk]) -> str:
    features = sorted({jdk.feature for jdk in installed})
    if len(features) == 1:
        return f"only JDK {features[0]} is"
    return f"only JDK {', '.join(map(str, features[:-1]))} and {features[-1]} are"

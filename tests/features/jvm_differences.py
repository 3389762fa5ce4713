"""By what a test can tell the JVM of the launcher from Surefire's: system properties, variables, defaults.

The feature `jvm` prints all of them; `tests/engines/test_features.py` fails at a difference that is not listed here.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase


@dataclass(frozen=True)
class Difference:
    """Names that may differ, `*` for any text, and why."""

    names: tuple[str, ...]
    why: str


DIFFERENCES = (
    Difference(
        ("property java.io.tmpdir", "property user.home", "variable HOME", "variable TMPDIR"),
        "each run has empty folders of its own",
    ),
    Difference(
        ("property java.vm.info", "property java.vm.compressedOopsMode"),
        "the JVM compiles with one tier and has a bounded heap",
    ),
    Difference(("property sun.java.command",), "the launcher is the program"),
    Difference(("property java.class.path",), "Surefire ends it with a separator"),
    Difference(("property surefire.*.class.path", "property localRepository"), "only Surefire sets them"),
    Difference(("variable MAVEN_*", "variable OLDPWD"), "the script `mvn` sets them"),
    Difference(
        (
            "property *skip*",
            "property git.*",
            "property failIfNoTests",
            "property style.color",
            "property maven.*",
            "property surefire.*",
            "property test",
        ),
        "Surefire hands on the options of the command line, with which the reference runs Maven",
    ),
)


def told(output: bytes) -> dict[str, str]:
    """What the test of the feature has printed, by name, with a word in place of its working folder."""
    pairs = [line[6:].partition("=") for line in output.decode().splitlines() if line.startswith("tells ")]
    found = {name: value for name, _, value in pairs}
    return {name: value.replace(found["property user.dir"], "<module>") for name, value in found.items()}


def unlisted(one: Mapping[str, str], other: Mapping[str, str]) -> dict[str, tuple[str | None, str | None]]:
    """Name -> both values, where they differ and may not."""
    names = [name for name in sorted({*one, *other}) if one.get(name) != other.get(name)]
    return {name: (one.get(name), other.get(name)) for name in names if not _is_listed(name)}


def _is_listed(name: str) -> bool:
    return any(fnmatchcase(name, pattern) for difference in DIFFERENCES for pattern in difference.names)

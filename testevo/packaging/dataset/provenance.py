"""Versions of the tools that made a dataset, for `provenance.json` beside its checksums."""

import platform
import re
import shutil
from collections.abc import Iterable, Mapping, Sequence

import testevo
from testevo.builds.project.jdks import find_jdks
from testevo.runtime.files.jars import JARS
from testevo.runtime.processes.processes import run_command

NUMBER = re.compile(r"\d+(\.\w+)+")
_DETECTOR = re.compile(r"refactoring-miner-(.+)\.jar")


def tool_versions(java_homes: Sequence[str], used_jdks: Iterable[int]) -> dict[str, str | None]:
    """The versions by name; None for a tool that is not here.

    Args:
        java_homes: further JDK folders, as configured.
        used_jdks: feature versions of the JDKs that the history was built with; each is named, `jdk 17` for instance.
    """
    here = {jdk.feature: jdk.version for jdk in find_jdks(java_homes)}
    return {
        "testevo": testevo.__version__,
        "python": platform.python_version(),
        "git": _said_by("git"),
        "maven": _said_by("mvn"),
        "RefactoringMiner": _refactoring_miner(),
        **{f"jdk {feature}": here.get(feature) for feature in sorted(set(used_jdks))},
    }


def with_earlier_versions(
    versions: Mapping[str, str | None], runs: Iterable[Mapping[str, object]]
) -> dict[str, str | None]:
    """Versions of tools, after those that earlier runs of the same snapshot worked with: `3.8.7, 3.9.11`.

    Args:
        versions: of now.
        runs: the tools of each run (`testevo.config.snapshot.predecessor`). Those in container images had others.
    """
    own = [tools for tools in runs if not tools.get("images")]
    found: dict[str, str | None] = {}
    for name, version in versions.items():
        earlier = dict.fromkeys(str(tools[name]) for tools in own if tools.get(name) not in (None, version))
        found[name] = ", ".join([*earlier, *filter(None, [version])]) or None
    return found


def _said_by(program: str) -> str | None:
    """The first number with a dot that a program says of its version."""
    if shutil.which(program) is None:
        return None
    found = NUMBER.search(run_command((program, "--version"), seconds=60).stdout.decode("utf-8", "replace"))
    return found.group() if found else None


def _refactoring_miner() -> str | None:
    """As the jar that was built with is named."""
    named = (_DETECTOR.fullmatch(file.name) for file in sorted((JARS / "refactoring").glob("*.jar")))
    return next((match[1] for match in named if match), None)

"""The environment of a test JVM: fixed variables, private folders, and options that nobody may lift.

It is pinned so that equal inputs give equal verdicts: time zone, locale and encoding where the project
sets none itself, an empty private home and temporary folder, and none of the variables by which a machine smuggles
options into every JVM. Surefire runs in the same environment, and `docs/features.md` lists by what a test can still
tell its JVM from ours.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from testevo.builds.engine import BuiltModule
from testevo.builds.inputs.jvm_config import collector_beside
from testevo.builds.project.jdks import Jdk
from testevo.execution.runner import Limits
from testevo.execution.variation import AS_IT_IS, Variation

QUICK_START = ("-XX:TieredStopAtLevel=1", "-Xshare:auto", "-XX:-UsePerfData")
SHORT_RUN = ("-XX:CompileThresholdScaling=2",)
"""Of one test method: compiles half as eagerly, which spares the other core work and costs the test none
(docs/performance.md). JDK 8 does not know the option."""
FIRST_WITH_SCALING = 9
NO_ASSISTIVE_TECHNOLOGIES = "-Djavax.accessibility.assistive_technologies="
"""Wins over the JDK's `accessibility.properties`, where Debian's JDK 8 asks for one that its headless package lacks."""
_HEAP = re.compile(r"-X(mx|ms|mn)|-XX:(MaxHeapSize|InitialHeapSize|MinHeapSize|(Max|Initial|Min)RAMPercentage)=")
_LARGEST_HEAP = re.compile(r"(?:-Xmx|-XX:MaxHeapSize=)(\d+)([kmgt]?)", re.IGNORECASE)
_BYTES = {"": 1, "k": 2**10, "m": 2**20, "g": 2**30, "t": 2**40}


@dataclass(frozen=True)
class JvmEnvironment:
    """The environment of one run, with empty folders of its own."""

    variation: Variation
    home: Path
    temporary: Path

    @classmethod
    def made_in(cls, private: Path, variation: Variation = AS_IT_IS) -> "JvmEnvironment":
        """With new folders in the private folder of the run."""
        jvm_environment = cls(variation, private / "home", private / "tmp")
        for folder in (jvm_environment.home, jvm_environment.temporary):
            folder.mkdir()
        return jvm_environment


def java_arguments(module: BuiltModule, limits: Limits, jvm_environment: JvmEnvironment) -> list[str]:
    """Options of a test JVM: ours, then the project's, then the largest heap, which nobody may lift over the bound."""
    variation, temporary = jvm_environment.variation, jvm_environment.temporary
    language, country = variation.locale
    project = [argument for argument in module.jvm_arguments if not _HEAP.match(argument)]
    return [
        *collector_beside(project),
        *QUICK_START,
        "-ea",
        f"-XX:ErrorFile={temporary}/hs_err.log",
        f"-Duser.language={language}",
        *([f"-Duser.country={country}"] if country else []),
        "-Dfile.encoding=UTF-8",
        f"-Djava.io.tmpdir={temporary}",
        f"-Duser.home={jvm_environment.home}",
        NO_ASSISTIVE_TECHNOLOGIES,
        f"-Dbasedir={module.folder}",
        *project,
        _largest_heap(module.jvm_arguments, limits.memory_mb),
    ]


def _largest_heap(arguments: Sequence[str], bound_mb: int) -> str:
    """The last that a project names, where it is below the bound. Zero means none to a JVM."""
    named = [int(found[1]) * _BYTES[found[2].lower()] for found in map(_LARGEST_HEAP.fullmatch, arguments) if found]
    is_lower = named and 0 < named[-1] < bound_mb * 2**20
    return f"-Xmx{named[-1]}" if is_lower else f"-Xmx{bound_mb}m"


def environment(jdk: Jdk, jvm_environment: JvmEnvironment, more: Mapping[str, str]) -> dict[str, str]:
    """The whole environment of a test JVM, or of a Maven that starts some, with what the project sets; nothing is
    inherited from the machine."""
    return {
        "PATH": "/usr/local/bin:/usr/bin:/bin",
        "HOME": str(jvm_environment.home),
        "TMPDIR": str(jvm_environment.temporary),
        "TZ": jvm_environment.variation.zone,
        "LC_ALL": "C.UTF-8",
        "LANG": "C.UTF-8",
        "JAVA_HOME": str(jdk.home),
        **jvm_environment.variation.variables,
    } | dict(more)

"""What a repeated run varies, so that a test that depends on it does not seem stable."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from testevo.builds.project.jdks import Jdk
from testevo.records.evidence.stability import Axis

_ZONES = ("UTC", "America/St_Johns", "Pacific/Chatham")
_LOCALES = (("en", ""), ("tr", "TR"), ("de", "DE"))
_HASHES = ((), ("-XX:hashCode=3",), ("-XX:hashCode=0",))
_SHIFTS = ("", "+45d", "+200d")
_SEEN_PROCESSORS = 11
"""First JDK all of whose updates know the option."""
LOAD_FACTOR = 10
"""How much longer than its limit a run with interpreted byte code may take."""


@dataclass(frozen=True)
class Variation:
    """A run of a test; `number` 0 varies nothing, odd and even ones give the axes different values."""

    axes: tuple[Axis, ...] = ()
    number: int = 0

    @property
    def key(self) -> str:
        """Names the run among those of the test."""
        return "+".join((str(self.number), *self.axes)) if self.number else "0"

    def varies(self, axis: Axis) -> bool:
        return self.number > 0 and axis in self.axes

    @property
    def zone(self) -> str:
        return _ZONES[self._choice(Axis.TIME_ZONE)]

    @property
    def locale(self) -> tuple[str, str]:
        """Language and country; below Surefire, a locale without a country follows from `LC_ALL`."""
        return _LOCALES[self._choice(Axis.LOCALE)]

    @property
    def seconds_factor(self) -> int:
        return LOAD_FACTOR if self.varies(Axis.LOAD) else 1

    def options(self, jdk: Jdk) -> list[str]:
        """Options of the JVM."""
        options: list[str] = []
        if self.varies(Axis.HASH):
            options += ["-XX:+UnlockExperimentalVMOptions", *_HASHES[self._choice(Axis.HASH)]]
        if self.varies(Axis.LOAD):
            options += ["-Xint", *(["-XX:ActiveProcessorCount=1"] if jdk.feature >= _SEEN_PROCESSORS else [])]
        return options

    @property
    def variables(self) -> dict[str, str]:
        """Of the environment."""
        library = libfaketime() if self.varies(Axis.DATE) else None
        if library is None:
            return {}
        return {
            "LD_PRELOAD": str(library),
            "FAKETIME": _SHIFTS[self._choice(Axis.DATE)],
            "FAKETIME_DONT_FAKE_MONOTONIC": "1",
        }

    def _choice(self, axis: Axis) -> int:
        return 1 + (self.number - 1) % 2 if self.varies(axis) else 0


AS_IT_IS = Variation()


@cache
def libfaketime() -> Path | None:
    """The library that shifts the clock of a process, where it is installed."""
    folders = ("/usr/lib", "/usr/lib64", "/usr/local/lib")
    found = (path for folder in folders for path in sorted(Path(folder).glob("**/faketime/libfaketime.so.1")))
    return next(found, None)


def next_jdk(jdk: Jdk, installed: Sequence[Jdk]) -> Jdk | None:
    """The oldest of the installed JDKs that are newer than `jdk`."""
    return min((one for one in installed if one.feature > jdk.feature), key=lambda one: one.feature, default=None)

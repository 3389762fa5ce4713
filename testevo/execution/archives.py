"""Archives of class data: classes of the launcher and of JUnit, parsed and verified once instead of in every JVM.

One for each JDK and list of jars, by their bytes, so projects with the same JUnit share it. It lies in the cache with
copies of the jars: a JVM takes an archive only with the very jars it was made from (path, size, time) at the head of
its class path, else it goes without and loads the same classes from the jars. So an archive can change no verdict; and
where none can be made, runs are slower and nothing else.
"""

import fcntl
import shutil
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from os import utime
from pathlib import Path

from testevo.build.jdks import Jdk
from testevo.ground.files import content_key, file_digest

FIRST_JDK = 13
"""The first Java version that writes an archive of what one run has loaded (JEP 350)."""
_FORMAT = "1"
_TIME = 1_700_000_000
"""Of the jars, so that it is the same wherever the cache is copied."""


@dataclass(frozen=True)
class ClassArchive:
    """An archive and the jars that must head the class path of a JVM that uses it, in this order."""

    file: Path
    jars: tuple[Path, ...]

    def arguments(self, file: Path | None = None) -> list[str]:
        """Options of the JVM; an archive that does not fit is passed over without a word in the test's output.

        Args:
            file: a copy of the archive that is used in its place.
        """
        return [f"-XX:SharedArchiveFile={file or self.file}", *QUIET]


QUIET = ("-Xlog:cds*=off", "-Xlog:class+path=off")

Rehearse = Callable[[Sequence[Path], Path], str]
"""Makes the archive of some jars in a file; answers '' or why it could not."""


class ClassArchives:
    """The archives of one cache.

    Args:
        folder: is made on first use.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder.absolute()
        self._known: dict[tuple[Path, tuple[Path, ...]], ClassArchive | None] = {}

    def archive(self, jdk: Jdk, jars: Sequence[Path], rehearse: Rehearse) -> ClassArchive | None:
        """The archive for a JDK and the jars at the head of a class path, made when there is none; None without one.

        Two processes that ask at once make it once.
        """
        asked = (jdk.home, tuple(jars))
        if asked not in self._known or self._is_gone(self._known[asked]):
            self._known[asked] = self._found_or_made(jdk, jars, rehearse)
        return self._known[asked]

    @staticmethod
    def _is_gone(known: ClassArchive | None) -> bool:
        return known is not None and not all(path.is_file() for path in (known.file, *known.jars))

    def _found_or_made(self, jdk: Jdk, jars: Sequence[Path], rehearse: Rehearse) -> ClassArchive | None:
        if jdk.feature < FIRST_JDK:
            return _without(f"Java {jdk.feature} writes no archives of class data; {FIRST_JDK} is the first that does")
        try:
            digests = [file_digest(jar) for jar in jars]
            key = content_key(_FORMAT, _jdk_key(jdk), *digests)
            file = self._folder / f"{key}.jsa"
            copies = tuple(self._folder / "jars" / digest / jar.name for digest, jar in zip(digests, jars, strict=True))
            if not all(path.is_file() for path in (file, *copies)):
                with self._locked(key):
                    for jar, copied in zip(jars, copies, strict=True):
                        _copy(jar, copied)
                    reason = "" if file.is_file() else rehearse(copies, file)
                    if reason:
                        return _without(f"no archive of class data could be made with {jdk.home}: {reason}")
        except OSError as error:
            return _without(f"no archive of class data in {self._folder}: {error.strerror or error}")
        return ClassArchive(file, copies)

    @contextmanager
    def _locked(self, key: str) -> Iterator[None]:
        self._folder.mkdir(parents=True, exist_ok=True)
        with (self._folder / f"{key}.lock").open("w") as stream:
            fcntl.flock(stream, fcntl.LOCK_EX)
            yield


def _copy(jar: Path, place: Path) -> None:
    if not place.is_file():
        place.parent.mkdir(parents=True, exist_ok=True)
        part = place.with_name(f".{place.name}.part")
        shutil.copyfile(jar, part)
        utime(part, (_TIME, _TIME))
        part.replace(place)


@cache
def _jdk_key(jdk: Jdk) -> str:
    """Names the JVM; it looks again itself, and passes over an archive of another one."""
    parts = [str(jdk.home), jdk.version]
    for name in ("release", "lib/modules", "lib/server/libjvm.so", "lib/server/classes.jsa"):
        file = jdk.home / name
        parts.append(f"{file.stat().st_size} {file.stat().st_mtime_ns}" if file.is_file() else "")
    return content_key(*parts)


@cache
def _without(reason: str) -> None:
    """Said once a process."""
    print(f"Test JVMs start without an archive of class data, which only makes them slower: {reason}.", file=sys.stderr)

"""Archives of class data: classes of the launcher and of JUnit, parsed and verified once instead of in every JVM.

One for each JDK and list of jars, by their bytes, so projects with the same JUnit share it. It lies in the cache with
copies of the jars, which lack entries of folders. A JVM takes an archive only with the very jars it was made from
(path, size, time) at the head of its class path, else it goes without and loads the same classes from the jars. So an
archive can change no verdict; and where none can be made, runs are slower and nothing else.

Other processes run tests with the same copies and watch that no test changes them. So a copy is written once, under the
digest of its jar, and is never replaced while it is whole; the same holds for an archive.
"""

import hashlib
import io
import sys
import tempfile
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Protocol

from testevo.builds.project.jdks import Jdk
from testevo.runtime.errors import MachineError
from testevo.runtime.files.files import FileState, canonical_json, content_key, file_digest, file_state
from testevo.runtime.files.json_and_yaml import parsed_json
from testevo.runtime.files.whole_files import locked, place_once, write_if_changed, write_once

FIRST_JDK = 11
"""The first long-lived Java version whose archives hold classes of a class path (JEP 310)."""
_FORMAT = "8"
_TIME = 1_700_000_000
"""Of the jars, so that it is the same wherever the cache is copied."""


QUIET = ("-Xlog:cds*=off", "-Xlog:class+path=off")
_FIRST_TO_PLACE = 14
_VERSION_OF_JAVA_6 = 50


@dataclass(frozen=True)
class ClassArchive:
    """An archive and the jars that must head the class path of a JVM that uses it, in this order."""

    file: Path
    jars: tuple[Path, ...]
    in_place: bool
    """Whether JVMs may map it where it was made for. Else JDKs of 2022 and later map it at random, to surprise an
    attacker, and begin by writing every pointer anew; only then is it writable as classes from before Java 6 need it,
    which a JVM changes when it links them."""

    def options(self, jdk: Jdk, file: Path | None = None) -> list[str]:
        """Of a JVM that uses it, or a copy of it; what does not fit is passed over without a word in the output."""
        mode = (
            []
            if jdk.feature < _FIRST_TO_PLACE
            else ["-XX:+UnlockDiagnosticVMOptions", f"-XX:ArchiveRelocationMode={0 if self.in_place else 1}"]
        )
        return [*QUIET, f"-XX:SharedArchiveFile={file or self.file}", *mode]


class Maker(Protocol):
    """The training run that makes an archive (`testevo.execution.jvms.training_run`)."""

    def make(self, archive: ClassArchive) -> str:
        """Write the file of an archive whose jars are there; '' or why that cannot be done."""


_Asked = tuple[Jdk, tuple[tuple[Path, FileState], ...]]


@dataclass(frozen=True)
class _Found:
    archive: ClassArchive
    states: tuple[FileState, ...]


class ClassArchives:
    """The archives of one cache.

    Args:
        folder: is made on first use. Links on the way to it are followed: a JVM looks for the jars where they were when
            the archive was made, and a sandbox shows no more than it is named.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder.resolve()
        self._known: dict[_Asked, _Found | None] = {}

    def archive(self, jdk: Jdk, jars: Sequence[Path], maker: Maker) -> ClassArchive | None:
        """The archive for a JDK and the jars at the head of a class path, made when there is none; None without one.

        Two processes that ask at once make it once.
        """
        asked = (jdk, tuple((jar, file_state(jar)) for jar in jars))
        known = self._known.get(asked)
        if asked not in self._known or (known is not None and known.states != _states(known.archive)):
            found = self._found_or_made(jdk, jars, maker)
            self._known[asked] = known = None if found is None else _Found(found, _states(found))
        return None if known is None else known.archive

    def _found_or_made(self, jdk: Jdk, jars: Sequence[Path], maker: Maker) -> ClassArchive | None:
        if jdk.feature < FIRST_JDK:
            return _without(f"Java {jdk.feature} has no archives of class paths; {FIRST_JDK} is the first that has")
        try:
            contents = [without_folders(jar) for jar in jars]
            digests = [hashlib.sha256(content).hexdigest() for content in contents]
            parts = (part for jar, digest in zip(jars, digests, strict=True) for part in (jar.name, digest))
            file = self._folder / f"{content_key(_FORMAT, _jdk_key(jdk), *parts)}.jsa"
            with locked(file.with_suffix(".lock")):
                copies = tuple(map(self._copied, jars, contents, digests))
                note = _written(file)
                if note is not None and _is_whole(file, str(note.get("digest"))):
                    return ClassArchive(file, copies, note.get("in_place") is True)
                archive = ClassArchive(file, copies, not any(map(_has_old_classes, copies)))
                reason = self._make(archive, maker, digests)
                if reason:
                    return _without(f"no archive of class data could be made with {jdk.home}: {reason}")
                return archive
        except (OSError, MachineError, zipfile.BadZipFile) as error:
            return _without(f"no archive of class data in {self._folder}: {error}")

    def _copied(self, jar: Path, content: bytes, digest: str) -> Path:
        """The copy of a jar, which archives of other class paths share; a damaged one is made anew."""
        copy = self._folder / "jars" / digest / jar.name
        with locked(self._folder / "jars" / f"{digest}.lock"):
            if not _is_copy(copy, digest):
                copy.unlink(missing_ok=True)
                write_once(copy, content, _TIME)
        return copy

    def _make(self, archive: ClassArchive, maker: Maker, digests: Sequence[str]) -> str:
        """Make the file of an archive, and its note; '' or why not. What lies there and is not whole goes."""
        with tempfile.TemporaryDirectory(dir=self._folder, prefix=".making-") as name:
            making = replace(archive, file=Path(name) / archive.file.name)
            reason = maker.make(making)
            if reason:
                return reason
            if not all(map(_is_copy, archive.jars, digests)):
                return "a jar was changed meanwhile"
            note = {"digest": file_digest(making.file), "in_place": archive.in_place}
            archive.file.unlink(missing_ok=True)
            place_once(making.file, archive.file)
        write_if_changed(_note(archive.file), canonical_json(note).encode())
        return ""


def without_folders(jar: Path) -> bytes:
    """A jar that answers for its files alone, with equal bytes for equal jars.

    It stands before the folders of the project, where the entries of its own folders would answer a program that looks
    for a folder, such as `META-INF`, or the root by the name '' (JDK 9 to 17, in jars for several Java versions).
    """
    made = io.BytesIO()
    with zipfile.ZipFile(jar) as whole, zipfile.ZipFile(made, "w") as copy:
        for entry in whole.infolist():
            if not entry.is_dir():
                copy.writestr(zipfile.ZipInfo(entry.filename, entry.date_time), whole.read(entry))
    return made.getvalue()


def _note(file: Path) -> Path:
    """Holds the digest of an archive. A JVM believes what it is given: a torn archive would crash every run."""
    return file.with_suffix(".json")


def _written(file: Path) -> dict[str, object] | None:
    try:
        note = parsed_json(_note(file).read_bytes())
    except (OSError, ValueError):
        return None
    return note if isinstance(note, dict) else None


def _is_whole(file: Path, digest: str) -> bool:
    return file.is_file() and file_digest(file) == digest


def _is_copy(copy: Path, digest: str) -> bool:
    """Whether a JVM takes it for the jar that the archive was made with."""
    return _is_whole(copy, digest) and copy.stat().st_mtime == _TIME


def _has_old_classes(jar: Path) -> bool:
    """Whether a jar has class files from before Java 6, which no JVM verifies beforehand."""
    with zipfile.ZipFile(jar) as archive:
        for name in archive.namelist():
            if name.endswith(".class"):
                with archive.open(name) as stream:
                    if int.from_bytes(stream.read(8)[6:8], "big") < _VERSION_OF_JAVA_6:
                        return True
    return False


def _states(archive: ClassArchive) -> tuple[FileState, ...]:
    return tuple(file_state(path) for path in (archive.file, *archive.jars))


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

"""List the packages that the classes of a jar mention, its own and others'."""

import re
import zipfile
from pathlib import Path

from testevo.runtime.files.whole_files import write_once

_NAME = re.compile(rb"(?<![\w$])((?:[\w$]+/)+)[\w$]")
"""An internal class name somewhere in a class file. Bytes before it that look like letters may stick to its front."""

_OF_THE_JDK = ("java", "javax", "jdk", "sun", "com.sun", "netscape", "org.ietf", "org.omg", "org.w3c", "org.xml")


class JarPackages:
    """The packages named by jars, kept by the digest of the jar.

    Args:
        folder: where they are kept.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._known: dict[str, frozenset[str]] = {}

    def speaks_of(self, jar: Path, digest: str, package: str) -> bool:
        """Whether a class of the jar may name a class of that package. Yes too often, never no."""
        if not package or not package.isascii():
            return True
        return any(name.endswith(package) for name in self._of(jar, digest))

    def _of(self, jar: Path, digest: str) -> frozenset[str]:
        if digest not in self._known:
            kept = self._folder / digest[:2] / digest
            if not kept.is_file():
                write_once(kept, "\n".join(sorted(_packages(jar))).encode())
            self._known[digest] = frozenset(kept.read_text(encoding="utf-8").split("\n"))
        return self._known[digest]


def jdk_may_speak_of(package: str) -> bool:
    """Whether a class of a JDK may name a class of that package."""
    return any(package == prefix or package.startswith(f"{prefix}.") for prefix in _OF_THE_JDK)


def _packages(jar: Path) -> set[str]:
    found: set[bytes] = set()
    with zipfile.ZipFile(jar) as archive:
        for name in archive.namelist():
            if name.endswith(".class"):
                found.update(match[1] for match in _NAME.finditer(archive.read(name)))
    return {name[:-1].decode("ascii").replace("/", ".") for name in found}

"""Files of this machine that a sandbox shows, every path under its own name."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from testevo.sandboxes.watching import DiskQuota


@dataclass(frozen=True)
class Confinement:
    """The paths that a run may see and change. All are absolute and keep their names inside the sandbox."""

    working_folder: Path
    readable: tuple[Path, ...]
    """Files and folders it may read."""
    writable: tuple[Path, ...]
    """Folders it may change: the private folder of the run, with its home and temporary folder."""
    memory_mb: int
    working_copy: Path | None = None
    """Shown, writable, in the place of `copied_folder`, so that the real one stays as it is."""
    copied_folder: Path | None = None
    copied_classes: tuple[Path, ...] = ()
    """Class folders that were copied into the working copy, too."""
    disk_mb: int | None = None
    """How much it may write, in MiB; without one, no file may grow beyond 2 GiB."""

    @property
    def quota(self) -> DiskQuota | None:
        """The bound of what it writes to the disk."""
        if self.disk_mb is None:
            return None
        copy = () if self.working_copy is None else (self.working_copy,)
        copied = () if self.copied_folder is None else (self.copied_folder, *self.copied_classes)
        return DiskQuota((*self.writable, *copy), self.disk_mb * 2**20, copied)


@dataclass(frozen=True)
class Mount:
    """A file or folder of this machine and where it is seen inside."""

    source: Path
    place: Path
    writable: bool = False


def mounts_of(confinement: Confinement, shown: str | None = None) -> list[Mount]:
    """List the mounts in their order, none in the place of another one.

    Args:
        shown: what begins with it is there already.
    """
    found = [Mount(Path(path), Path(path)) for path in _outermost(confinement.readable, shown)]
    if confinement.working_copy is not None and confinement.copied_folder is not None:
        found.append(Mount(confinement.working_copy, confinement.copied_folder, writable=True))
        # What lies inside the folder (class trees of an in-place build) must stay the real, read-only one.
        found += [Mount(path, path) for path in confinement.readable if confinement.copied_folder in path.parents]
    found += [Mount(path, path, writable=True) for path in confinement.writable]
    last = {mount.place: mount for mount in found}
    return [mount for mount in dict.fromkeys(found) if last[mount.place] == mount]


def with_readable(confinement: Confinement, folder: Path) -> Confinement:
    """The confinement with one more folder to read."""
    return replace(confinement, readable=(*confinement.readable, folder))


def jdk_files() -> list[Mount]:
    """Settings and certificates that JDKs of distributions keep outside their own folder."""
    found = [*sorted(Path("/etc").glob("java*")), Path("/etc/ssl/certs/java")]
    return [Mount(path, path) for path in found if path.exists()]


def _outermost(paths: Sequence[Path], shown: str | None) -> list[str]:
    """The paths that lie in no other of them and are not shown already, sorted.

    Each costs the start of every run a third of a millisecond, so jars of a Maven repository are shown with all of it.
    """
    chosen: list[str] = []
    places = {f"{repository_of(path) or path.absolute()}" for path in paths}
    for path in sorted(places, key=lambda path: path.split("/")):
        inside = (shown is not None and path.startswith(shown)) or (bool(chosen) and path.startswith(f"{chosen[-1]}/"))
        if not inside and path not in chosen[-1:] and Path(path).exists():
            chosen.append(path)
    return chosen


@cache
def repository_of(path: Path) -> Path | None:
    """The local Maven repository (`repository/<group>/<artifact>/<version>/<artifact>-<version>.jar`) of a jar.

    It holds nothing but what repositories publish. Everything else is shown alone.
    """
    folders = path.absolute().parents
    if path.suffix != ".jar" or len(folders) < 6 or not path.name.startswith(f"{folders[1].name}-{folders[0].name}"):
        return None
    return next((folder for folder in folders if folder.name == "repository"), None)

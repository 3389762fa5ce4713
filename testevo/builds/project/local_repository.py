"""A local Maven repository of one project, locked while Maven writes to it."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from testevo.builds.project.settings import maven_version, write_settings
from testevo.runtime.errors import MachineError
from testevo.runtime.files.files import url_safe_name
from testevo.runtime.files.whole_files import locked, write_once
from testevo.runtime.stopwatch import timed


@dataclass(frozen=True)
class LocalRepository:
    """The folder `<cache>/maven/<key>`: the repository itself, the settings beside it, and the offline proofs.

    Two Maven processes that download into one local repository can break each other's files, so that a run with the
    network holds an exclusive lock and a run without it a shared one.
    """

    folder: Path
    settings: Path
    """The files that every Maven reads."""
    maven: str = ""
    """The version of Maven that is installed."""

    @property
    def key(self) -> str:
        """Names what Maven has told with this repository."""
        return f"{self.folder.name}@{self.maven}"

    @property
    def artifacts(self) -> Path:
        """The folder for `-Dmaven.repo.local`."""
        return self.folder / "repository"

    @property
    def home(self) -> Path:
        """An empty home folder, so that nothing of the user's reaches a build."""
        return self.folder / "home"

    @contextmanager
    def opened(self, *, offline: bool) -> Iterator[None]:
        """Hold the lock of this repository for a run of Maven; one with the network finds no notes of old failures."""
        with ExitStack() as held:
            with timed("waiting for downloads"):
                held.enter_context(locked(self.folder / "lock", shared=offline))
            if not offline:
                self._forget_failures()
            yield

    def _forget_failures(self) -> None:
        """Delete Maven's notes about failed downloads, so that one bad moment of a network is not kept for a day."""
        for note in self.artifacts.rglob("*.lastUpdated"):
            note.unlink(missing_ok=True)

    def proven(self, fingerprint: str) -> bool:
        """Whether the goals of this fingerprint have run with `-o`."""
        return (self._proofs / fingerprint).is_file()

    @property
    def has_proofs(self) -> bool:
        """Whether anything has, so that all that Maven itself needs was once brought here."""
        return self._proofs.is_dir()

    def mark_proven(self, fingerprint: str) -> None:
        write_once(self._proofs / fingerprint, b"ran offline\n")

    @property
    def _proofs(self) -> Path:
        """Of this Maven: another one needs other plugins."""
        return self.folder / "proofs" / self.maven


def local_repository(cache: Path, key: str, mirror: str | None) -> LocalRepository:
    """The local repository called `key` (a project; all worlds share one), made if it is not there.

    Raises:
        MachineError: the folder cannot be made.
    """
    folder = cache.resolve() / "maven" / (url_safe_name(key) or "project")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        repository = LocalRepository(folder, write_settings(folder, mirror), maven_version())
        for one in (repository.artifacts, repository.home):
            one.mkdir(exist_ok=True)
    except OSError as error:
        raise MachineError(f"{folder} cannot be made: {error.strerror}. Set build.cache elsewhere.") from error
    return repository

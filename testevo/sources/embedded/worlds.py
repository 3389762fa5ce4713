"""Worlds: small histories embedded in this project, with their known labels.

A world is a folder with `world.yaml` and one folder per commit below `commits/`, which holds the files that the commit
adds or replaces. `docs/sources.md` shows the format.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from testevo.config.model import Config
from testevo.records.labels import DropReason, LabelKind
from testevo.records.repository import Repository, RepositoryRejection, SourceKind
from testevo.records.tasks import Track
from testevo.records.verdicts import BuildOutcome, SuiteOutcome
from testevo.runtime.errors import UsageError, UserError
from testevo.runtime.files.json_and_yaml import parsed_yaml
from testevo.runtime.refused_input import reason
from testevo.sources.clone_rejection import NoHistoryError
from testevo.sources.embedded.made_history import MadeHistory, make_history
from testevo.sources.embedded.world_trees import WorldCommit, world_commits

DESCRIPTION = "world.yaml"
OWNER = "worlds"


class _Model(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)


class ExpectedLabel(_Model):
    """The label that mining must give a test at a commit; `old` is the old end where it is not the first parent."""

    new: str
    old: str | None = None
    test: str = Field(pattern=r"^[^#]+#[^#]+$")
    label: LabelKind
    reason: tuple[DropReason, ...] = ()
    """Any of these will do; empty: any reason at all. One alone may be written without brackets."""

    @field_validator("reason", mode="before")
    @classmethod
    def _one_or_several(cls, value: object) -> object:
        return (value,) if isinstance(value, str) else value


class Expected(_Model):
    """The labels that mining by one preset must find. Kept labels that are not listed count as wrong."""

    labels: tuple[ExpectedLabel, ...] = ()
    builds: dict[str, BuildOutcome] = {}
    """Outcomes of kept commits that do not build; all others must be built."""
    suites: dict[str, SuiteOutcome] = {}
    """Outcomes of suites that are not green; all others must be green."""
    tasks: dict[Track, int] = {}
    """Number of tasks by track; tracks left out are not checked."""


class World(_Model):
    """An embedded history: what `world.yaml` says. `name` and `folder` come from where it lies."""

    name: str
    folder: Path
    description: str = Field(min_length=10)
    commits: tuple[WorldCommit, ...]
    tags: dict[str, str] = {}
    start: str | None = None
    expected: dict[str, Expected] = {}
    """By preset."""
    rejected: RepositoryRejection | None = None
    """The whole history is rejected; instead of `expected`."""

    @model_validator(mode="after")
    def _names_known_commits(self) -> Self:
        known: set[str] = set()
        for commit in self.commits:
            if commit.id in known:
                raise ValueError(f"commit {commit.id} is listed twice")
            for other in (*(commit.parents or ()), *filter(None, [commit.tree_of])):
                if other not in known:
                    raise ValueError(f"commit {commit.id} names {other}, which is not listed before it")
            known.add(commit.id)
        for place, commit_id in self._named_commits():
            if commit_id not in known:
                raise ValueError(f"{place} names the commit {commit_id}, which does not exist")
        if (self.rejected is None) == (not self.expected):
            raise ValueError("exactly one of `expected` and `rejected` is needed")
        return self

    def _named_commits(self) -> Iterator[tuple[str, str]]:
        """Every place outside the list of commits that names one, and the id it names."""
        for tag, commit in self.tags.items():
            yield f"tag {tag}", commit
        for preset, expected in self.expected.items():
            for label in expected.labels:
                yield f"{preset} label of {label.test}", label.new
                yield f"{preset} label of {label.test}", label.old or label.new
            for commit in (*expected.builds, *expected.suites):
                yield f"{preset} builds or suites", commit


def load_world(folder: Path) -> World:
    """Read a world.

    Raises:
        UserError: no `world.yaml`, no YAML, an unknown key, a value of the wrong kind, or a name that means nothing.
    """
    path = folder / DESCRIPTION
    try:
        content: Any = parsed_yaml(path.read_bytes())
    except OSError as error:
        raise UserError(f"{folder} is not a world: {path.name} cannot be read ({error.strerror}). Add it.") from error
    except ValueError as error:
        raise UserError(f"{path} is not valid YAML: {error}. Fix it.") from error
    if not isinstance(content, dict):
        raise UserError(f"{path} must hold keys and values at its top level; see docs/sources.md.")
    try:
        return World.model_validate(content | {"name": folder.name, "folder": folder})
    except ValidationError as error:
        raise UserError(f"{path} does not describe a world: {reason(error)}. See docs/sources.md.") from error


def world_names(config: Config) -> list[str]:
    """The worlds that the configuration names, sorted; `all` stands for every folder with a `world.yaml`.

    Raises:
        UsageError: an unknown name.
    """
    folder = config.sources.worlds_place
    present = sorted(path.parent.name for path in folder.glob(f"*/{DESCRIPTION}"))
    unknown = sorted(set(config.sources.worlds) - set(present) - {"all"})
    if unknown:
        raise UsageError(
            f"There is no world {', '.join(unknown)} in {folder}; there are: {', '.join(present) or 'none'}. "
            f"Change `sources.worlds` or `sources.worlds_folder`."
        )
    return present if "all" in config.sources.worlds else sorted(set(config.sources.worlds))


def candidates(config: Config) -> list[Repository]:
    """One repository `worlds/<name>` per configured world."""
    return [
        Repository(name=f"{OWNER}/{name}", source=SourceKind.WORLDS, address=name, start=_world(config, name).start)
        for name in world_names(config)
    ]


def fetch(repository: Repository, config: Config, folder: Path) -> Path:
    """Make the git folder of a world; commits that reach no branch do not exist.

    Raises:
        NoHistoryError: the world has no commit.
        UserError: the world is badly described.
    """
    world = _world(config, repository.address)
    if not world.commits:
        raise NoHistoryError(RepositoryRejection.EMPTY, f"the world {world.name} lists no commit")
    return make_world(world, folder).folder


def make_world(world: World, folder: Path) -> MadeHistory:
    """Make the git folder of a world and tell the revision of each of its commits by id (for checking labels)."""
    return make_history(folder, world_commits(world.folder, world.commits), world.tags)


def _world(config: Config, name: str) -> World:
    return load_world(config.sources.worlds_place / name)

"""Production and test code of a commit: `mvn -o -q test-compile` in a clean copy against the warm compiler.

Of an embedded history, and of a clone of a real one where `TESTEVO_MIRROR` (`<folder>/{owner}+{name}/repo`) has it.
"""

import os
import shutil
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from testevo.builds.compilation.worker import SECOND_TIER_AFTER
from testevo.builds.context import BuildContext
from testevo.builds.engine import BuiltTree, Checkout
from testevo.builds.engines.direct_engine import DirectEngine
from testevo.builds.engines.maven_engine import MavenEngine
from testevo.builds.maven.maven_run import Maven
from testevo.builds.model_source import copy_checkout
from testevo.builds.preparation import Preparation
from testevo.builds.project.jdks import find_jdks
from testevo.builds.project.local_repository import local_repository
from testevo.history.git import GitRepository
from testevo.runtime.files.project import PROJECT
from testevo.sources.embedded.worlds import load_world, make_world
from tests.bench.ratios import Comparison

LOCAL_REPOSITORY = PROJECT / "results" / "cache"
WARM_UP = 60
"""Compilations after which the compiler itself is compiled; mining a history makes hundreds."""
WORKED = SECOND_TIER_AFTER + 30.0
"""Seconds of compilations, when those take longer, for the clone: its compiler then has both tiers of the JIT."""


@dataclass(frozen=True)
class Subject:
    """A revision, with a production and a test file to change: each has a statement that another one may precede."""

    name: str
    local: str
    """Key of its local Maven repository."""
    revision: str
    production: tuple[str, str]
    test: tuple[str, str]
    worked: float = 0.0
    """Seconds for which the compiler works before it is measured."""


WORLD = Subject(
    "ticket-counter",
    "worlds",
    "",
    ("src/main/java/tickets/TicketCounter.java", "return "),
    ("src/test/java/tickets/TicketCounterTest.java", "assertEquals("),
)
CLONE = Subject(
    "f4b6a3/uuid-creator",
    "f4b6a3+uuid-creator",
    "uuid-creator-6.1.1",
    ("src/main/java/com/github/f4b6a3/uuid/util/UuidUtil.java", "return (hii | mid | low);"),
    ("src/test/java/com/github/f4b6a3/uuid/util/UuidUtilTest.java", "assertEquals(uuid, copy);"),
    WORKED,
)


@contextmanager
def comparisons(folder: Path) -> Iterator[list[Comparison]]:
    """What is compared; the engines end with the block."""
    with ExitStack() as open_engines:
        yield [
            comparison
            for subject, git in _subjects(folder)
            for comparison in open_engines.enter_context(_of(subject, git, folder / subject.local))
        ]


def _subjects(folder: Path) -> Iterator[tuple[Subject, GitRepository]]:
    made = make_world(load_world(PROJECT / "worlds" / WORLD.name), folder / "history")
    newest = list(made.revisions.values())[-1]
    yield Subject(WORLD.name, WORLD.local, newest, WORLD.production, WORLD.test), GitRepository(folder / "history")
    mirror = os.environ.get("TESTEVO_MIRROR")
    if mirror:
        owner, _, name = CLONE.name.partition("/")
        yield CLONE, GitRepository(Path(mirror.format(owner=owner, name=name)))


@contextmanager
def _of(subject: Subject, git: GitRepository, folder: Path) -> Iterator[list[Comparison]]:
    revision = git.resolve(subject.revision)
    assert revision is not None, subject
    git.export(revision, folder / "checkout")
    checkout = Checkout(subject.name, revision, folder / "checkout", git.tree_id(revision))
    engines = {name: _engine(subject, folder, incremental=name == "incremental") for name in ("full", "incremental")}
    reference = MavenEngine(engines["full"].context)
    prepared = reference.context.prepare(checkout)
    assert isinstance(prepared, Preparation), prepared
    maven = reference.context.maven(prepared)
    try:
        bases = {name: _warm(engine, checkout, subject) for name, engine in engines.items()}

        def full(turn: int) -> None:
            _compile(engines["full"], bases["full"], _changed(checkout, (subject.production, subject.test), turn))

        def one_file(turn: int) -> None:
            changes = _changed(checkout, (subject.production,), turn)
            _compile(engines["incremental"], bases["incremental"], changes)

        by_maven = _by_maven(maven, checkout, folder / "compiled", subject)
        yield [
            Comparison(f"compile main and tests ({subject.name})", by_maven, full, 8.0),
            Comparison(f"compile after a change of one file ({subject.name})", by_maven, one_file, 25.0),
        ]
    finally:
        for engine in engines.values():
            engine.close()


def _engine(subject: Subject, folder: Path, *, incremental: bool) -> DirectEngine:
    local = local_repository(LOCAL_REPOSITORY, subject.local, None)
    name = "incremental" if incremental else "full"
    return DirectEngine(
        BuildContext(local, folder / name / "cache", folder / name / "work", find_jdks(), incremental=incremental)
    )


def _warm(engine: DirectEngine, checkout: Checkout, subject: Subject) -> BuiltTree:
    result = engine.build(checkout)
    assert result.tree is not None, result.reason
    turn, measured = 0, time.monotonic() + subject.worked
    while turn < WARM_UP or time.monotonic() < measured:
        turn += 1
        _compile(engine, result.tree, _changed(checkout, (subject.production, subject.test), -turn))
    return result.tree


def _changed(checkout: Checkout, files: Sequence[tuple[str, str]], turn: int) -> dict[str, bytes | None]:
    """Files whose code, not only text, is another one every turn."""
    changed: dict[str, bytes | None] = {}
    for path, statement in files:
        text = (checkout.folder / path).read_text(encoding="utf-8")
        assert statement in text, (path, statement)
        other = f"if (System.nanoTime() == {turn}L) {{ throw new IllegalStateException(); }} {statement}"
        changed[path] = text.replace(statement, other, 1).encode()
    return changed


def _compile(engine: DirectEngine, base: BuiltTree, changes: dict[str, bytes | None]) -> None:
    result = engine.build_variant(base, changes)
    assert result.built, result.reason


def _by_maven(maven: Maven, checkout: Checkout, work: Path, subject: Subject) -> Callable[[int], None]:
    def compile_all(turn: int) -> None:
        shutil.rmtree(work, ignore_errors=True)
        copy_checkout(checkout.folder, work, _changed(checkout, (subject.production,), turn))
        finished = maven.run(work, ("test-compile",), offline=True)
        assert finished.ok, finished.tail(5)

    return compile_all

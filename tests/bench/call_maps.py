"""Memory of the stages that read the call maps of a large repository, without running Java.

`python -m tests.bench.call_maps --tests 1000 --revisions 150` makes up a repository whose revisions were all built and
probed, as the shards of its jobs would leave it, and runs each stage on it in a process of its own. Tests and their
calls are made up; pairs, changes, joins, journals and files are read and written by the real stages.
"""

import argparse
import random
import re
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

from testevo.config.load import load_config
from testevo.config.machine.processes import SMALL_JOB_MB, memory_of
from testevo.config.model import Config
from testevo.config.resolved import work_key
from testevo.config.snapshot.layout import Layout, RepositoryFiles
from testevo.execution.variants import Candidate
from testevo.labels.candidate import CandidateFacts
from testevo.labels.dependencies import link_dependencies
from testevo.labels.join import JoinedCandidate
from testevo.records.base import write_records
from testevo.records.calls import Callee, CallMap
from testevo.records.changes import CommitPair, MethodChange, PairRelation
from testevo.records.executions import Combination, Execution
from testevo.records.labels import Label, LabelKind, Purity, RefactoringVerdict
from testevo.records.methods import ChangeKind, MethodKey, Side, Span, TestKey, TestKind
from testevo.records.repository import Commit, Repository, SourceKind
from testevo.records.verdicts import BuildOutcome, BuildVerdict, Outcome, SuiteOutcome, SuiteTest, SuiteVerdict
from testevo.revisions.candidates import CandidateReader
from testevo.runtime.files.files import canonical_json, content_key
from testevo.runtime.files.project import PROJECT

sys.path.insert(0, str(PROJECT / "scripts"))

import commit_pair
import instrument
import package_repository
import triple_execute
from stage import Stage

NAME, SLUG = "bench/calls", "bench+calls"
METHODS, DIRECT, HELPERS = 400, 8, 2
CLOSURE = 60
"""With it a map takes about as much memory as was measured in real repositories, 95 KiB."""
CHANGED, TOUCHED = 5, 2
"""Production methods and tests that each pair changes."""
HOUR = 3600
MIB = 2**20


@dataclass(frozen=True)
class Size:
    """How large a repository is made."""

    tests: int
    revisions: int
    closure: int = CLOSURE


@dataclass(frozen=True)
class MadeRepository:
    """A repository of that size, file by file; equal sizes give equal bytes."""

    size: Size
    config: Config

    @property
    def files(self) -> RepositoryFiles:
        return Layout.of(self.config).of_repository(SLUG)

    @property
    def revisions(self) -> list[str]:
        """Newest first, as in a walk."""
        return [f"{number:040x}" for number in reversed(range(self.size.revisions))]

    def test(self, number: int) -> TestKey:
        name = f"org.example.project.module.Class{number // 10}Test"
        path = f"src/test/java/{name.replace('.', '/')}.java"
        return TestKey(module="", path=path, type_name=name, name=f"behavesAsDescribedInCase{number % 10}")

    def tests(self) -> list[TestKey]:
        return sorted((self.test(number) for number in range(self.size.tests)), key=str)

    def method(self, number: int) -> MethodKey:
        name = f"org.example.project.module.Class{number // 10}"
        return MethodKey(type_name=name, name=f"operation{number % 10}", parameters=("String", "int"))

    def write(self) -> None:
        """Everything that the stages read but the output of `instrument`."""
        files = self.files
        write_records(files.repository, [Repository(name=NAME, source=SourceKind.LIST, address="made", start="main")])
        write_records(files.commits, self._commits())
        write_records(files.builds, self._builds())
        write_records(files.pairs, self.pairs())
        write_records(files.changes, (change for pair in self.pairs() for change in self.changes(pair)))
        files.suites.parent.mkdir(parents=True, exist_ok=True)
        with files.suites.open("w") as stream:
            stream.writelines(f"{self._suite(revision).line()}\n" for revision in sorted(self.revisions))
        files.journal("instrument").parent.mkdir(parents=True, exist_ok=True)
        with files.journal("instrument").open("w") as stream:
            stream.writelines(self._journal_lines())

    def _commits(self) -> Iterator[Commit]:
        for position, revision in enumerate(self.revisions):
            moment = HOUR * (self.size.revisions - position)
            yield Commit(
                repository=NAME,
                position=position,
                revision=revision,
                parents=tuple(self.revisions[position + 1 : position + 2]),
                author_time=moment,
                committer_time=moment,
                java_tree=revision,
                first_parent_line=True,
            )

    def _builds(self) -> Iterator[BuildVerdict]:
        for revision in self.revisions:
            yield BuildVerdict(repository=NAME, revision=revision, outcome=BuildOutcome.BUILT, reason="", jdk=17)

    def _suite(self, revision: str) -> SuiteVerdict:
        ran = tuple(SuiteTest(test=test, outcome=Outcome.PASSED) for test in self.tests())
        return SuiteVerdict(repository=NAME, revision=revision, outcome=SuiteOutcome.GREEN, reason="", tests=ran)

    def pairs(self) -> list[CommitPair]:
        ends = zip(self.revisions[1:], self.revisions[:-1], strict=True)
        return [
            CommitPair(
                repository=NAME,
                old_revision=old,
                new_revision=new,
                position=position,
                relation=PairRelation.PARENT_CHILD,
                author_gap=HOUR,
                committer_gap=HOUR,
            )
            for position, (old, new) in enumerate(ends)
        ]

    def changes(self, pair: CommitPair) -> Iterator[MethodChange]:
        choice = random.Random(pair.position)
        for number in choice.sample(range(METHODS), CHANGED):
            yield self._change(pair, Side.PRODUCTION, self.method(number), f"src/main/java/Class{number // 10}.java")
        for number in choice.sample(range(self.size.tests), min(TOUCHED, self.size.tests)):
            test = self.test(number)
            yield self._change(pair, Side.TEST, test.method, test.path)

    def _change(self, pair: CommitPair, side: Side, method: MethodKey, path: str) -> MethodChange:
        return MethodChange(
            repository=NAME,
            old_revision=pair.old_revision,
            new_revision=pair.new_revision,
            side=side,
            module="",
            method=method,
            kind=ChangeKind.MODIFIED,
            text_differs=True,
            old_path=path,
            new_path=path,
            old_span=Span(first_line=1, last_line=9),
            new_span=Span(first_line=1, last_line=9),
            test_kind=TestKind.JUPITER if side is Side.TEST else None,
        )

    def _journal_lines(self) -> Iterator[str]:
        """The line of each revision; its maps are those of another but for the revision, so that they are made once."""
        key = work_key(self.config, "instrument", NAME)
        maps = ",".join(self.call_map("REVISION", number).line() for number in range(self.size.tests))
        for revision in self.revisions:
            entry = canonical_json({"key": content_key(key, revision, "all")})
            calls = maps.replace("REVISION", revision)
            yield f'{entry[:-1]},"value":{{"calls":[{calls}]}}}}\n'

    def call_map(self, revision: str, number: int) -> CallMap:
        choice = random.Random(number)
        called = [self.method(one) for one in choice.sample(range(METHODS), min(METHODS, self.size.closure))]
        helper = self.test(number).method.model_copy(update={"name": "helper"})
        return CallMap(
            repository=NAME,
            revision=revision,
            test=self.test(number),
            outcome=Outcome.PASSED,
            direct=tuple(self._callee(method, 1) for method in called[:DIRECT]),
            helpers=tuple(self._callee(helper, 1) for _ in range(HELPERS)),
            closure=tuple(self._callee(method, 1 + place // DIRECT) for place, method in enumerate(called)),
        )

    def _callee(self, method: MethodKey, depth: int) -> Callee:
        return Callee(method=method, descriptor="(Ljava/lang/String;I)Ljava/lang/String;", depth=depth)


def made_repository(folder: Path, size: Size, preset: str = "released") -> MadeRepository:
    """The description of a repository below a folder; `write` writes it."""
    return MadeRepository(size, load_config({"preset": preset, "results": str(folder / "results")}))


class MadeStage(Stage):
    """A stage whose work on revisions is all in its journals, or made up: it has no clone."""

    @contextmanager
    def workspace(self, process: int = 0, **_: object) -> Iterator[Any]:
        yield SimpleNamespace(
            repository=self.repository,
            config=self.config,
            engine=None,
            runner=SimpleNamespace(key="made"),
            console=SimpleNamespace(key="made", passes=lambda tree, test: True),
        )


class MadeReader(CandidateReader):
    """Reads what is recorded, and makes up what the sources of the ends would tell."""

    def pair_of(self, candidate: JoinedCandidate) -> CommitPair:
        return CommitPair(
            repository=NAME,
            old_revision=candidate.old_revision,
            new_revision=candidate.new_revision,
            position=0,
            relation=PairRelation.PARENT_CHILD,
            author_gap=HOUR,
            committer_gap=HOUR,
            joined=candidate.joined,
        )

    def facts(self, candidate: JoinedCandidate) -> CandidateFacts:
        changes = self._changes.between(candidate.old_revision, candidate.new_revision)
        new, old = (self._calls.get((end, candidate.test)) for end in (candidate.new_revision, candidate.old_revision))
        return CandidateFacts(
            repository=NAME,
            old_revision=candidate.old_revision,
            new_revision=candidate.new_revision,
            test=candidate.test,
            test_kind=TestKind.JUPITER,
            is_plain=True,
            nominated=candidate.nominated,
            change=candidate.nominated,
            links=link_dependencies(changes, new, old, self._rules.changes, lambda *_: 0.5),
            old_span=Span(first_line=1, last_line=9),
            new_span=Span(first_line=1, last_line=9),
        )

    def runnable(self, facts: CandidateFacts) -> Candidate:
        return facts  # type: ignore[return-value] - for `MadeRuns` alone


class MadeRuns:
    """Stands in for the runs of a candidate."""

    def __init__(self, *_: object) -> None:
        pass

    def run(self, facts: CandidateFacts) -> list[Execution]:
        kinds = [(Combination.OLD_TEST_OLD_CODE, Outcome.PASSED), (Combination.NEW_TEST_NEW_CODE, Outcome.PASSED)]
        kinds.append((Combination.OLD_TEST_NEW_CODE, Outcome.ASSERTION_FAILED))
        return [
            Execution(
                repository=NAME,
                old_revision=facts.old_revision,
                new_revision=facts.new_revision,
                test=facts.test,
                combination=combination,
                swap="none",
                old_tree="",
                outcomes=(outcome, outcome),
            )
            for combination, outcome in kinds
        ]

    def by_console(self, candidate: Any, executions: list[Execution]) -> list[Execution]:
        return executions

    def repeat(self, facts: CandidateFacts, executions: Sequence[Execution], repeats: int) -> Sequence[Execution]:
        return executions


class MadeChanges:
    """The recorded changes, of neighbours and of joined ends."""

    def __init__(self, made: MadeRepository) -> None:
        self._made = made
        self._pair_of = {pair.new_revision: pair for pair in made.pairs()}

    def between(self, old_revision: str, new_revision: str) -> list[MethodChange]:
        pair = self._pair_of[new_revision].model_copy(update={"old_revision": old_revision})
        return list(self._made.changes(pair))


def stage_of(made: MadeRepository, name: str, writes: tuple[str, ...], processes: int = 1) -> MadeStage:
    return MadeStage(made.config, made.files, made.files, name, processes, writes)


def run_commit_pair(made: MadeRepository, processes: int) -> None:
    """What it reads of the suites."""
    assert len(commit_pair.usability(stage_of(made, "commit_pair", ()))) == made.size.revisions


def run_instrument(made: MadeRepository, processes: int = 1) -> None:
    with patch.object(instrument, "Changes", lambda *_: MadeChanges(made)):
        instrument.main(stage_of(made, "instrument", ("calls",), processes))


def run_triple_execute(made: MadeRepository, processes: int = 1) -> None:
    with (
        patch.object(triple_execute, "CandidateReader", MadeReader),
        patch.object(triple_execute, "TripleRunner", MadeRuns),
        patch.object(triple_execute, "Changes", lambda *_: MadeChanges(made)),
    ):
        triple_execute.main(stage_of(made, "triple_execute", (), processes))


def run_package_repository(made: MadeRepository, processes: int = 1) -> None:
    """Final labels and what is read of the executions; there are no sources to make tasks of."""
    write_records(made.files.refactorings, _verdicts(made.files.first_labels))
    with (
        patch.object(package_repository, "open_bundle", lambda *_: None),
        patch.object(package_repository, "group_tasks", lambda *_: []),
    ):
        package_repository.main(stage_of(made, "package_repository", ()))


def _verdicts(labels: Path) -> Iterator[RefactoringVerdict]:
    with labels.open("rb") as lines:
        for label in (Label.model_validate_json(line) for line in lines):
            if label.label is not LabelKind.NONE:
                yield RefactoringVerdict(
                    repository=NAME,
                    old_revision=label.old_revision,
                    new_revision=label.new_revision,
                    test=label.test,
                    test_change=Purity.NONE,
                    code_change=Purity.NONE,
                    moved=False,
                )


Run = Callable[[MadeRepository, int], None]
PARTS: dict[str, tuple[Run, Callable[[Config, int], int]]] = {
    "commit_pair": (run_commit_pair, memory_of),
    "instrument": (run_instrument, memory_of),
    "triple_execute": (run_triple_execute, memory_of),
    "package_repository": (run_package_repository, lambda *_: SMALL_JOB_MB),
}
"""In their order, with the memory that their rules declare."""


def measured(made: MadeRepository, part: str, processes: int) -> str:
    """Run a part in this process, which does nothing else; what it and the largest of its processes took."""
    run, declared = PARTS[part]
    run(made, processes)
    own = re.search(r"VmHWM:\s+(\d+) kB", Path("/proc/self/status").read_text())  # `ru_maxrss` begins with its parent's
    assert own is not None
    largest = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024
    seconds = sum(resource.getrusage(resource.RUSAGE_SELF)[:2])
    return (
        f"{part}: {int(own[1]) // 1024} MiB, largest of its processes {largest} MiB, "
        f"{declared(made.config, processes)} MiB declared, {seconds:.0f} s of processor time"
    )


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.call_maps", description=__doc__)
    parser.add_argument("--tests", type=int, default=1000)
    parser.add_argument("--revisions", type=int, default=150)
    parser.add_argument("--closure", type=int, default=CLOSURE, help="production methods that each test enters")
    parser.add_argument("--processes", type=int, default=1, help="of each stage")
    parser.add_argument("--only", choices=PARTS, nargs="*", default=[*PARTS], help="stages to run")
    parser.add_argument("--folder", type=Path, help="keep the repository there, and use the one that is there")
    parser.add_argument("--inside", choices=PARTS, help="run that part in this process, in the given folder")
    options = parser.parse_args()
    size = Size(options.tests, options.revisions, options.closure)
    if options.inside:
        print(measured(made_repository(options.folder, size), options.inside, options.processes))
        return
    with tempfile.TemporaryDirectory(prefix="testevo-call-maps-") as name:
        folder = options.folder or Path(name)
        made = made_repository(folder, size)
        if not made.files.repository.is_file():
            made.write()
        journal = made.files.journal("instrument").stat().st_size
        print(f"{size.tests} tests, {size.revisions} revisions, {journal // MIB} MiB of call maps", flush=True)
        for part in options.only:
            arguments = [*sys.argv[1:], "--folder", str(folder), "--inside", part]
            command = [sys.executable, "-m", "tests.bench.call_maps", *arguments]
            ran = subprocess.run(command, capture_output=True, text=True, check=False)
            print(ran.stdout.strip() or f"{part}: failed\n{ran.stderr[-3000:]}", flush=True)


if __name__ == "__main__":
    main()

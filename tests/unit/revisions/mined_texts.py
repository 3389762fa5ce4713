"""Mines histories given as texts with the scripts of the stages; what needs a JVM is made up from the texts.

The history is a dictionary. Builds always succeed, byte code is told by the tokens of a method without its annotations
and by the imports of what it names, tests call the production methods that their text names, and outcomes come from a
function. Pairs, changes, joins, labels, refactoring verdicts and tasks are those of the real stages.
"""

import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from hashlib import sha256
from pathlib import Path, PurePosixPath
from typing import Any

import pytest

from testevo.builds.compilation.byte_code import ByteCode, merged
from testevo.builds.engine import BuildResult, BuiltModule, BuiltTree, Checkout
from testevo.builds.project.jdks import Jdk
from testevo.config.load import load_config
from testevo.config.model import Config
from testevo.config.snapshot.layout import Layout, RepositoryFiles
from testevo.execution.refactoring_detector import Detection
from testevo.execution.runner import MethodRun
from testevo.execution.variation import AS_IT_IS, Variation
from testevo.history.git import PathChange
from testevo.history.walk import java_tree
from testevo.java.syntax import JavaFile, parse_java
from testevo.java.tests import DeclaredTest, find_tests
from testevo.records.base import read_records, write_records
from testevo.records.calls import Callee, CallMap
from testevo.records.changes import CommitPair, MethodChange
from testevo.records.executions import Execution
from testevo.records.labels import Label, LabelKind, RefactoringVerdict
from testevo.records.methods import MethodKey, Side, TestKey
from testevo.records.repository import Commit, Repository, SourceKind
from testevo.records.tasks import Task
from testevo.records.verdicts import (
    BuildOutcome,
    BuildVerdict,
    Diagnostic,
    Outcome,
    SuiteOutcome,
    SuiteTest,
    SuiteVerdict,
)
from testevo.revisions.revision import Revisions, RevisionView
from testevo.runtime.files.jars import PROJECT

sys.path.insert(0, str(PROJECT / "scripts"))

import commit_pair
import instrument
import package_repository
import refactoring_filter
import triple_execute
from stage import Stage

Tree = Mapping[str, str]
"""Texts by repository-relative path."""
OutcomeOf = Callable[[str, TestKey, int], Outcome]
"""The outcome of a run, from the tree's key, the test and the number of the repeat."""

NOON = 1_709_294_400  # 2024-03-01 12:00 UTC
NAME = "example/texts"
REPOSITORY = Repository(name=NAME, source=SourceKind.LIST, address="texts", start="main", version="main")
_ANNOTATION = re.compile(r"@ \w+(?: \. \w+)*(?: \( [^)]*\))? ?")
_CALL = re.compile(r"\b([a-z]\w*) \(")


@dataclass(frozen=True)
class Behaviour:
    """What is made up where a JVM would be asked."""

    outcome: OutcomeOf
    compiles: Callable[[str], bool] = lambda key: True
    """Whether a tree with swapped files compiles."""
    strays: Callable[[RevisionView], Sequence[TestKey]] = lambda view: ()
    """Tests that run and that no source file shows."""
    ran: Callable[[TestKey], bool] = lambda test: True
    """Whether the suite got to a test."""
    probed: Callable[[TestKey], Outcome] = lambda test: Outcome.PASSED
    """How a run with the call probe ends; without a pass it shows no calls."""
    detected: Callable[[Mapping[str, str], Mapping[str, str]], Detection] = lambda before, after: Detection(())


def told_by_text(tree: str, test: TestKey, repeat: int) -> Outcome:
    """Whatever is swapped fails, whatever is not passes."""
    return Outcome.ASSERTION_FAILED if "+" in tree else Outcome.PASSED


@dataclass
class Mined:
    """What the stages wrote."""

    pairs: list[CommitPair] = field(default_factory=list)
    changes: list[MethodChange] = field(default_factory=list)
    candidates: list[Any] = field(default_factory=list)
    executions: list[Execution] = field(default_factory=list)
    first_labels: list[Label] = field(default_factory=list)
    labels: list[Label] = field(default_factory=list)
    tasks: list[Task] = field(default_factory=list)
    tests: dict[str, set[TestKey]] = field(default_factory=dict)
    """By revision the tests that its sources show."""
    names: dict[str, str] = field(default_factory=dict)
    """The number of a commit, by revision."""

    def label(self, test: str, old: str, new: str) -> Label:
        """The one label of a test, `Class#method`, between two commits."""
        found = [
            one
            for one in self.labels
            if one.test.short == test and (self.names[one.old_revision], self.names[one.new_revision]) == (old, new)
        ]
        assert len(found) == 1, found
        return found[0]

    def test_change(self, test: str) -> MethodChange:
        """The one change of a test."""
        found = [one for one in self.changes if one.test_kind is not None and one.method.short == test]
        assert len(found) == 1, found
        return found[0]


class TextHistory:
    """Stands in for `testevo.history.git.GitRepository`: a line of commits, oldest first, named by their numbers."""

    def __init__(self, trees: Sequence[Tree]) -> None:
        self._trees = {
            f"{number:040x}": {"pom.xml": b"<project/>", **{path: text.encode() for path, text in tree.items()}}
            for number, tree in enumerate(trees)
        }
        self.revisions = list(self._trees)

    def tree_id(self, revision: str) -> str:
        return java_tree(self.paths(revision))

    def is_ancestor(self, ancestor: str, revision: str) -> bool:
        return ancestor <= revision

    def paths(self, revision: str) -> dict[str, str]:
        return {path: sha256(text).hexdigest() for path, text in sorted(self._trees[revision].items())}

    def java_blobs(self, revision: str) -> dict[str, str]:
        return {path: blob for path, blob in self.paths(revision).items() if path.endswith(".java")}

    def read(self, revision: str, path: str) -> bytes | None:
        return self._trees[revision].get(path)

    def read_many(self, revision: str, paths: Sequence[str]) -> dict[str, bytes]:
        return {path: self._trees[revision][path] for path in paths if path in self._trees[revision]}

    def changed_paths(self, old: str, new: str) -> list[PathChange]:
        before, after = self._trees[old], self._trees[new]
        differing = sorted(path for path in before.keys() | after.keys() if before.get(path) != after.get(path))
        return [
            PathChange("added" if path not in before else "modified" if path in after else "removed", path)
            for path in differing
        ]

    def walk(self) -> list[Commit]:
        """Newest first, an hour apart."""
        last = len(self.revisions) - 1
        return [
            Commit(
                repository=NAME,
                position=last - number,
                revision=revision,
                parents=tuple(self.revisions[:number][-1:]),
                author_time=NOON + 3600 * number,
                committer_time=NOON + 3600 * number,
                java_tree=java_tree(self.java_blobs(revision)),
                first_parent_line=True,
            )
            for number, revision in reversed(list(enumerate(self.revisions)))
        ]


class _Texts:
    """A revision as the engine and the runner see it: texts instead of classes."""

    def __init__(self, tree: BuiltTree, files: Mapping[str, bytes]) -> None:
        merged: dict[str, bytes | None] = {**files, **tree.replaced}
        self.files = {path: parse_java(content, path) for path, content in merged.items() if content is not None}

    def side(self, side: str) -> dict[str, JavaFile]:
        return {path: file for path, file in self.files.items() if f"src/{side}/" in path}


class TextWorkspace:
    """Stands in for `testevo.revisions.workspace.Workspace`."""

    def __init__(self, history: TextHistory, config: Config, scratch: Path, do: Behaviour) -> None:
        self.repository, self.git, self.config, self.scratch, self._do = REPOSITORY, history, config, scratch, do
        self.engine = self.runner = self.byte_code = self.console = self
        self.name, self.sandbox, self.key = "texts", "none", "texts"

    def passes(self, tree: BuiltTree, test: TestKey) -> bool:
        """As the console launcher, which sees nothing else here."""
        return True

    def parse(self, path: str, blob: str, revision: str, encoding: str | None) -> JavaFile:
        content = self.git.read(revision, path)
        assert content is not None
        return parse_java(content, path, encoding)

    def built(self, revision: str) -> BuiltTree:
        blobs = self.git.paths(revision)
        folders = sorted({str(PurePosixPath(path).parent) for path in blobs if path.endswith("pom.xml")} - {"."})
        checkout = Checkout(NAME, revision, self.scratch / revision, self.git.tree_id(revision))
        modules = tuple(self._module(folder) for folder in folders or [""])
        return BuiltTree(checkout, Jdk(Path("jdk"), 17, "17"), modules, key=revision)

    def _module(self, path: str) -> BuiltModule:
        folder, prefix = self.scratch / path, f"{path}/" if path else ""
        return BuiltModule(
            path=path,
            folder=folder,
            production_classes=folder / "classes",
            test_classes=folder / "test-classes",
            class_path=(),
            framework="platform",
            engine_jars=(),
            jvm_arguments=(),
            environment={},
            test_includes=(),
            test_excludes=(),
            test_roots=(f"{prefix}src/test/java",),
            production_roots=(f"{prefix}src/main/java",),
            test_resource_folders=(f"{prefix}src/test/resources", f"{prefix}samples"),
        )

    def build_variant(
        self, base: BuiltTree, replaced: Mapping[str, bytes | None], seconds: float | None = None
    ) -> BuildResult:
        parts = [part for path, content in sorted(replaced.items()) for part in (path.encode(), content or b"-")]
        key = f"{base.key}+{sha256(b'|'.join(parts)).hexdigest()[:12]}"
        if self._do.compiles(key):
            return BuildResult(BuildOutcome.BUILT, tree=replace(base, key=key, replaced=dict(replaced)))
        places = tuple(Diagnostic(path=path, line=3, code="error", message="no") for path in sorted(replaced))
        return BuildResult(BuildOutcome.TEST_COMPILE_ERROR, reason="no", diagnostics=places)

    def of(self, tree: BuiltTree, side: Side) -> ByteCode:
        name = "main" if side is Side.PRODUCTION else "test"
        modules: dict[str, dict[MethodKey, str]] = {}
        for path, file in sorted(self._texts(tree).side(name).items()):
            own = modules.setdefault(path.split("src/")[0].rstrip("/"), {})
            for method in file.methods:
                code = _ANNOTATION.sub("", method.tokens) if method.has_body else method.return_type
                meant = [line for line in sorted(file.imports) if f" {line.rpartition('.')[2]} " in f" {code} * "]
                own[method.key] = sha256(" ".join((code, *meant)).encode()).hexdigest()
        return merged(modules)

    def run_method(
        self, tree: BuiltTree, test: TestKey, logs: Path | None, variation: Variation = AS_IT_IS, times_limit: float = 1
    ) -> MethodRun:
        return MethodRun(self._do.outcome(tree.key, test, variation.number))

    def call_maps(self, tree: BuiltTree, tests: Sequence[TestKey] | None) -> list[CallMap]:
        view = Revisions(self).view(tree.checkout.revision)  # type: ignore[arg-type]
        texts = self._texts(tree)
        declared = {view.test_key(test): test for test in find_tests(texts.side("test"))}
        strays = list(self._do.strays(view))
        wanted = [*declared, *strays] if tests is None else tests
        return [self._map(tree, texts, test, declared.get(test)) for test in dict.fromkeys(wanted)]

    def _map(self, tree: BuiltTree, texts: _Texts, test: TestKey, declared: DeclaredTest | None) -> CallMap:
        called = set(_CALL.findall(declared.method.tokens)) if declared else {"m0", "m1"}
        outcome = self._do.probed(test)
        called = called if outcome is Outcome.PASSED else set()

        def those(side: str, own: MethodKey | None) -> tuple[Callee, ...]:
            found = {
                method.key
                for file in texts.side(side).values()
                for method in file.methods
                if method.key.name in called and method.key != own
            }
            return tuple(Callee(method=key, descriptor="()I") for key in sorted(found, key=str))

        return CallMap(
            repository=NAME,
            revision=tree.checkout.revision,
            test=test,
            outcome=outcome,
            direct=those("main", None),
            helpers=those("test", declared.method.key if declared else None),
            closure=those("main", None),
        )

    def _texts(self, tree: BuiltTree) -> _Texts:
        revision = tree.checkout.revision
        return _Texts(tree, self.git.read_many(revision, sorted(self.git.java_blobs(revision))))


class _Detector:
    """Stands in for the JVM that looks for refactorings."""

    def __init__(self, do: Behaviour) -> None:
        self._do = do

    def detect(self, before: Mapping[str, str], after: Mapping[str, str]) -> Detection:
        return self._do.detected(before, after)

    def __enter__(self) -> "_Detector":
        return self

    def __exit__(self, *_: object) -> None:
        pass


class TextStage(Stage):
    """A stage whose workspaces read texts."""

    history: TextHistory
    do: Behaviour

    @contextmanager
    def workspace(self, process: int = 0, *, bundle: Path | None = None) -> Iterator[TextWorkspace]:  # type: ignore[override]
        yield TextWorkspace(self.history, self.config, self.work.scratch, self.do)


def mine(
    trees: Sequence[Tree],
    folder: Path,
    preset: str,
    do: Behaviour | None = None,
    instrument_: str = "all",
    repeated_negatives: int = 0,
) -> Mined:
    """Mine a history with one commit an hour per tree, from `commit_pair` to the tasks."""
    do = do or Behaviour(told_by_text)
    execution = {"instrument": instrument_, "repeats": 2, "repeated_negatives": repeated_negatives}
    config = load_config({"preset": preset, "results": str(folder / "results"), "execution": execution})
    files = Layout.of(config).of_repository("example+texts")
    history = TextHistory(trees)
    walk = history.walk()
    write_records(files.repository, [REPOSITORY])
    write_records(files.commits, walk)
    mined = Mined(names={revision: str(number) for number, revision in enumerate(history.revisions)})
    revisions = Revisions(TextWorkspace(history, config, files.scratch, do))  # type: ignore[arg-type]
    for revision in history.revisions:
        view = revisions.view(revision)
        mined.tests[revision] = {view.test_key(test) for test in view.tests}
    write_records(
        files.builds,
        [
            BuildVerdict(
                repository=NAME,
                revision=commit.revision,
                outcome=BuildOutcome.BUILT,
                reason="",
                jdk=17,
                fingerprint="f",
                encodings=(),
            )
            for commit in walk
        ],
    )
    write_records(files.suites, [_suite(commit, mined.tests[commit.revision], do) for commit in walk])

    with pytest.MonkeyPatch.context() as patched:
        for script in (commit_pair, refactoring_filter, package_repository):
            patched.setattr(script, "open_bundle", lambda *_: history)
        patched.setattr(refactoring_filter, "RefactoringDetector", lambda *_: _Detector(do))
        patched.setattr(refactoring_filter, "java_home", lambda _: Path("jdk"))
        _run_stages(mined, partial(_stage, config, files, history, do))
    return mined


def _stage(config: Config, files: RepositoryFiles, history: TextHistory, do: Behaviour, name: str) -> TextStage:
    stage = TextStage(config, files, files, name, 1)
    object.__setattr__(stage, "history", history)
    object.__setattr__(stage, "do", do)
    return stage


def _run_stages(mined: Mined, stage_of: Callable[[str], TextStage]) -> None:
    """What the scripts of the stages do, one after the other."""
    files = stage_of("commit_pair").files
    mined.pairs, mined.changes = commit_pair.pair_and_compare(
        stage_of("commit_pair"), read_records(files.commits, Commit)
    )
    write_records(files.pairs, mined.pairs)
    write_records(files.changes, mined.changes)
    instrument.main(stage_of("instrument"))
    triple_execute.main(stage_of("triple_execute"))
    mined.executions = read_records(files.executions, Execution)
    mined.first_labels = read_records(files.first_labels, Label)
    labelled = [label for label in mined.first_labels if label.label is not LabelKind.NONE]
    write_records(
        files.refactorings, refactoring_filter.detect(stage_of("refactoring_filter"), labelled) if labelled else []
    )
    last = stage_of("package_repository")
    verdicts = {package_repository.key_of(one): one for one in read_records(files.refactorings, RefactoringVerdict)}
    runs = package_repository.executions_of(last, verdicts)
    mined.labels = list(package_repository.final_labels(last, verdicts, runs))
    accepted = [label for label in mined.labels if label.reason is None]
    facts = package_repository.facts_of(last, runs)
    mined.tasks = package_repository.group_tasks(accepted, facts) if accepted else []
    mined.candidates = [(one.old_revision, one.new_revision, one.test) for one in mined.first_labels]


def _suite(commit: Commit, tests: set[TestKey], do: Behaviour) -> SuiteVerdict:
    ran = tuple(SuiteTest(test=test, outcome=Outcome.PASSED) for test in sorted(tests, key=str) if do.ran(test))
    return SuiteVerdict(repository=NAME, revision=commit.revision, outcome=SuiteOutcome.GREEN, reason="", tests=ran)

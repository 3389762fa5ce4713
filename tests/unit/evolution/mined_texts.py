"""Mines histories given as texts with the scripts of the stages; what needs a JVM is made up from the texts.

Builds always succeed, byte code is told by the tokens of a method without its annotations, tests call the production
methods that their text names, and outcomes come from a function. Git, pairs, changes, joins, labels, refactoring
verdicts and tasks are those of the real stages.
"""

import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path, PurePosixPath
from typing import Any

import pytest

from testevo.build.byte_code import ByteCode
from testevo.build.engine import BuildResult, BuiltModule, BuiltTree, Checkout
from testevo.build.jdks import Jdk
from testevo.config.layout import Layout
from testevo.config.load import load_config
from testevo.config.model import Config
from testevo.evolution.revision import Revisions, RevisionView
from testevo.execution.refactoring_detector import Detection
from testevo.execution.runner import MethodRun
from testevo.ground.jars import PROJECT
from testevo.history.bundle import clone_history, open_bundle
from testevo.history.walk import walk_commits
from testevo.java.syntax import JavaFile, parse_java
from testevo.java.tests import DeclaredTest, find_tests
from testevo.records.base import read_records, write_records
from testevo.records.calls import Callee, CallMap
from testevo.records.changes import CommitPair, MethodChange
from testevo.records.executions import Execution
from testevo.records.labels import Label
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
from testevo.sources.made_history import MadeCommit, MadeFile, make_history

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
_ANNOTATION = re.compile(r"@ [\w.]+(?: \( [^)]*\))? ?")
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
        found = [one for one in self.labels if one.test.short == test
                 and (self.names[one.old_revision], self.names[one.new_revision]) == (old, new)]
        assert len(found) == 1, found
        return found[0]

    def test_change(self, test: str) -> MethodChange:
        """The one change of a test."""
        found = [one for one in self.changes if one.test_kind is not None and one.method.short == test]
        assert len(found) == 1, found
        return found[0]


class _Git:
    """A revision as the engine and the runner see it: texts instead of classes."""

    def __init__(self, tree: BuiltTree, files: Mapping[str, bytes]) -> None:
        merged: dict[str, bytes | None] = {**files, **tree.replaced}
        self.files = {path: parse_java(content, path) for path, content in merged.items() if content is not None}

    def side(self, side: str) -> dict[str, JavaFile]:
        return {path: file for path, file in self.files.items() if f"src/{side}/" in path}


class TextWorkspace:
    """Stands in for `testevo.evolution.workspace.Workspace`."""

    def __init__(self, repository: Repository, bundle: Path, config: Config, scratch: Path, do: Behaviour) -> None:
        self.repository, self.config, self.scratch, self._do = repository, config, scratch, do
        self.git = open_bundle(bundle, scratch / "history")
        self.engine = self.runner = self.byte_code = self
        self.name, self.sandbox, self.key = "texts", "none", "texts"

    def parse(self, path: str, blob: str, revision: str) -> JavaFile:
        content = self.git.read(revision, path)
        assert content is not None
        return parse_java(content, path)

    def built(self, revision: str) -> BuiltTree:
        blobs = self.git.paths(revision)
        folders = sorted({str(PurePosixPath(path).parent) for path in blobs if path.endswith("pom.xml")} - {"."})
        checkout = Checkout(NAME, revision, self.scratch / revision, self.git.tree_id(revision))
        modules = tuple(self._module(folder) for folder in folders or [""])
        return BuiltTree(checkout, Jdk(Path("jdk"), 17, "17"), modules, key=revision)

    def _module(self, path: str) -> BuiltModule:
        folder, prefix = self.scratch / path, f"{path}/" if path else ""
        return BuiltModule(
            path=path, folder=folder, production_classes=folder / "classes", test_classes=folder / "test-classes",
            class_path=(), framework="platform", engine_jars=(), jvm_arguments=(), environment={}, test_includes=(),
            test_excludes=(), test_roots=(f"{prefix}src/test/java",), production_roots=(f"{prefix}src/main/java",),
        )  # fmt: skip

    def build_variant(self, base: BuiltTree, replaced: Mapping[str, bytes | None]) -> BuildResult:
        parts = [part for path, content in sorted(replaced.items()) for part in (path.encode(), content or b"-")]
        key = f"{base.key}+{sha256(b'|'.join(parts)).hexdigest()[:12]}"
        if self._do.compiles(key):
            return BuildResult(BuildOutcome.BUILT, tree=replace(base, key=key, replaced=dict(replaced)))
        places = tuple(Diagnostic(path=path, line=3, code="error", message="no") for path in sorted(replaced))
        return BuildResult(BuildOutcome.TEST_COMPILE_ERROR, reason="no", diagnostics=places)

    def of(self, tree: BuiltTree, side: Side) -> ByteCode:
        name = "main" if side is Side.PRODUCTION else "test"
        methods = {
            method.key: sha256(_ANNOTATION.sub("", method.tokens).encode()).hexdigest()
            for _, file in sorted(self._texts(tree).side(name).items()) for method in file.methods if method.has_body
        }  # fmt: skip
        return ByteCode(methods)

    def run_method(self, tree: BuiltTree, test: TestKey, logs: Path | None, repeat: int = 0) -> MethodRun:
        return MethodRun(self._do.outcome(tree.key, test, repeat))

    def call_maps(self, tree: BuiltTree, tests: Sequence[TestKey] | None) -> list[CallMap]:
        view = Revisions(self).view(tree.checkout.revision)  # type: ignore[arg-type]
        texts = self._texts(tree)
        declared = {view.test_key(test): test for test in find_tests(texts.side("test"))}
        strays = list(self._do.strays(view))
        wanted = [*declared, *strays] if tests is None else tests
        return [self._map(tree, texts, test, declared.get(test)) for test in dict.fromkeys(wanted)]

    def _map(self, tree: BuiltTree, texts: _Git, test: TestKey, declared: DeclaredTest | None) -> CallMap:
        called = set(_CALL.findall(declared.method.tokens)) if declared else {"m0", "m1"}

        def those(side: str, own: MethodKey | None) -> tuple[Callee, ...]:
            found = {method.key for file in texts.side(side).values() for method in file.methods
                     if method.key.name in called and method.key != own}
            return tuple(Callee(method=key, descriptor="()I") for key in sorted(found, key=str))

        return CallMap(
            repository=NAME, revision=tree.checkout.revision, test=test, outcome=Outcome.PASSED,
            direct=those("main", None), helpers=those("test", declared.method.key if declared else None),
            closure=those("main", None),
        )  # fmt: skip

    def _texts(self, tree: BuiltTree) -> _Git:
        revision = tree.checkout.revision
        return _Git(tree, self.git.read_many(revision, sorted(self.git.java_blobs(revision))))


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

    do: Behaviour

    @contextmanager
    def workspace(self, process: int = 0, *, bundle: Path | None = None) -> Iterator[TextWorkspace]:  # type: ignore[override]
        yield TextWorkspace(self.repository, self.files.bundle, self.config, self.files.scratch, self.do)


def mine(
    trees: Sequence[Tree], folder: Path, preset: str, do: Behaviour | None = None, instrument_: str = "all"
) -> Mined:
    """Mine a history with one commit an hour per tree, from `commit_pair` to the tasks."""
    do = do or Behaviour(told_by_text)
    config = load_config(
        {"preset": preset, "results": str(folder / "results"), "execution": {"instrument": instrument_, "repeats": 2}})
    files = Layout.of(config).of_repository("example+texts")
    made = make_history(folder / "origin.git", [
        MadeCommit(str(number), f"Commit {number}", NOON + 3600 * number, NOON + 3600 * number,
                   (str(number - 1),) if number else (),
                   {path: MadeFile(text.encode()) for path, text in {"pom.xml": "<project/>", **tree}.items()})
        for number, tree in enumerate(trees)
    ], {})  # fmt: skip
    candidate = Repository(name=NAME, source=SourceKind.LIST, address=str(made.folder))
    repository = clone_history(candidate, made.folder, files.bundle, config.rules.walk)
    assert repository.rejection is None, repository
    write_records(files.repository, [repository])
    git = open_bundle(files.bundle, files.scratch / "history")
    walk = walk_commits(git, NAME, repository.start, config.rules.walk, config.rules.pairs)
    write_records(files.commits, walk)
    mined = Mined(names={revision: name for name, revision in made.revisions.items()})
    workspace = TextWorkspace(repository, files.bundle, config, files.scratch, do)
    kept = [commit for commit in walk if commit.rejection is None]
    revisions = Revisions(workspace)  # type: ignore[arg-type]
    for commit in kept:
        view = revisions.view(commit.revision)
        mined.tests[commit.revision] = {view.test_key(test) for test in view.tests}
    write_records(files.builds, [
        BuildVerdict(repository=NAME, revision=commit.revision, outcome=BuildOutcome.BUILT, reason="", jdk=17,
                     fingerprint="f") for commit in kept])
    write_records(files.suites, [_suite(commit, mined.tests[commit.revision], do) for commit in kept])

    stages = {}
    for name in ("commit_pair", "instrument", "triple_execute", "refactoring_filter", "package_repository"):
        stages[name] = TextStage(config, files, name, 1)
        object.__setattr__(stages[name], "do", do)
    pairs, changes = commit_pair.pair_and_compare(stages["commit_pair"], walk)
    write_records(files.pairs, pairs)
    write_records(files.changes, changes)
    joinable = stages["instrument"].joinable_pairs()
    write_records(files.calls, instrument.instrument(stages["instrument"], joinable) if joinable else [])
    executed = triple_execute.execute(stages["triple_execute"], joinable) if joinable else []
    write_records(files.executions, (one for done in executed for one in done.executions))
    write_records(files.first_labels, (done.label for done in executed))
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(refactoring_filter, "RefactoringDetector", lambda *_: _Detector(do))
        patched.setattr(refactoring_filter, "java_home", lambda _: Path("jdk"))
        labelled = [one.label for one in executed if one.label.label.value != "none"]
        write_records(
            files.refactorings,
            refactoring_filter.detect(stages["refactoring_filter"], labelled) if labelled else [])
    mined.labels = package_repository.final_labels(stages["package_repository"])
    accepted = [label for label in mined.labels if label.reason is None]
    facts = package_repository.facts_of(stages["package_repository"])
    mined.tasks = package_repository.group_tasks(accepted, facts) if accepted else []
    mined.pairs, mined.changes = pairs, changes
    mined.executions = read_records(files.executions, Execution)
    mined.first_labels = read_records(files.first_labels, Label)
    mined.candidates = [(one.label.old_revision, one.label.new_revision, one.label.test) for one in executed]
    return mined


def _suite(commit: Commit, tests: set[TestKey], do: Behaviour) -> SuiteVerdict:
    ran = tuple(
        SuiteTest(test=test, outcome=Outcome.PASSED) for test in sorted(tests, key=str) if do.ran(test))
    return SuiteVerdict(
        repository=NAME, revision=commit.revision, outcome=SuiteOutcome.GREEN, reason="", tests=ran)

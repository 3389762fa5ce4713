"""Two tiny revisions of one Maven-like module, compiled with a warm javac: what a grader needs of a workspace."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from testevo.builds.compilation.worker import Compilation, Worker
from testevo.builds.engine import BuildResult, BuiltModule, BuiltTree, Checkout
from testevo.config.model import BuildOverrides, Config
from testevo.execution.runner import Limits, MethodRun
from testevo.execution.runners.one_shot import OneShotRunner
from testevo.execution.variation import AS_IT_IS, Variation
from testevo.grading.grader import Grader
from testevo.grading.result_store import ResultStore
from testevo.java.syntax import parse_java
from testevo.packaging.start_states.start_state import TargetFile
from testevo.records.evaluation.grading import GradedTask
from testevo.records.evaluation.predictions import Edit, encoded
from testevo.records.labels import Dependency, LabelKind
from testevo.records.methods import ChangeKind, TestKey
from testevo.records.tasks import Task, Track
from testevo.records.verdicts import BuildOutcome, Diagnostic, Outcome
from testevo.runtime.files.files import content_key
from tests.junit_jars import engines_of, libraries_of, this_jdk
from tests.made_tasks import made_evidence, made_task

MAIN, TESTS = "src/main/java", "src/test/java"
OLD, NEW = "0" * 40, "1" * 40
Files = Mapping[str, str | bytes]


def as_bytes(files: Files) -> dict[str, bytes]:
    return {path: text.encode() if isinstance(text, str) else text for path, text in files.items()}


@dataclass
class TinyGit:
    """Revisions as they lie in a repository."""

    revisions: Mapping[str, Mapping[str, bytes]]

    def tree_id(self, revision: str) -> str:
        files = sorted(self.revisions[revision].items())
        return content_key(*(part for path, content in files for part in (path, content)))

    def java_blobs(self, revision: str) -> dict[str, str]:
        return {path: content_key(content) for path, content in self.revisions[revision].items()}

    def read(self, revision: str, path: str) -> bytes | None:
        return self.revisions[revision].get(path)


@dataclass
class TinyEngine:
    """Compiles revisions and variants of them; `left_over` are production files that come from nowhere in them."""

    folder: Path
    git: TinyGit
    worker: Worker
    framework: str
    options: Sequence[str] = ("-g", "-nowarn")
    encodings: Mapping[str, str] = field(default_factory=dict)
    """Of the sources of a revision, where they are not UTF-8."""
    modules: Mapping[str, str] = field(default_factory=dict)
    """The folder of the module of a revision, where it is not the root."""
    left_over: Mapping[str, str] = field(default_factory=dict)
    broken: BuildResult | None = None
    """Answer of every build of a revision."""
    without_verdict: int = 0
    """How many of the next builds of edits end as when javac overflows."""
    ends_as: BuildOutcome = BuildOutcome.BUILD_TOOL_FAILED
    name: str = "tiny"
    built: int = 0

    def build(self, revision: str) -> BuildResult:
        return self.broken or self.compile(revision, {})

    def build_variant(
        self, base: BuiltTree, replaced: Mapping[str, bytes | None], seconds: float | None = None
    ) -> BuildResult:
        if self.without_verdict:
            self.without_verdict -= 1
            return BuildResult(self.ends_as, f"javac failed without a message in {seconds} s")
        return self.compile(base.checkout.revision, replaced)

    def compile(self, revision: str, replaced: Mapping[str, bytes | None]) -> BuildResult:
        self.built += 1
        place = self.folder / str(self.built)
        files = {path: text for path, text in (self.git.revisions[revision] | replaced).items() if text is not None}
        hidden = as_bytes(self.left_over) if revision == OLD else {}
        libraries = libraries_of(self.framework)
        main, tests = place / "main", place / "tests"
        module_path = self.modules.get(revision, "")
        main_root, test_root = (f"{module_path}/{side}".lstrip("/") for side in (MAIN, TESTS))
        for side, output, class_path, outcome in (
            (main_root, main, libraries, BuildOutcome.PRODUCTION_COMPILE_ERROR),
            (test_root, tests, [main, *libraries], BuildOutcome.TEST_COMPILE_ERROR),
        ):
            output.mkdir(parents=True)
            done = self._javac(place / "checkout", files | hidden, side, output, class_path, revision)
            if done is not None and not done.success:
                return BuildResult(outcome, "does not compile", None, diagnostics(done, place / "checkout"))
        engines = engines_of(self.framework)
        module = BuiltModule(
            path=module_path,
            folder=place / "checkout" / module_path,
            production_classes=main,
            test_classes=tests,
            class_path=(tests, main, *libraries),
            framework=self.framework,
            engine_jars=engines,  # type: ignore[arg-type]
            jvm_arguments=(),
            environment={},
            test_includes=(),
            test_excludes=(),
            test_roots=(test_root,),
            production_roots=(main_root,),
            test_encoding=self.encodings.get(revision, "UTF-8"),
            production_encoding=self.encodings.get(revision, "UTF-8"),
        )
        checkout = Checkout("o/p", revision, place / "checkout", self.git.tree_id(revision))
        return BuildResult(BuildOutcome.BUILT, "", BuiltTree(checkout, this_jdk(), (module,), str(self.built)))

    def _javac(
        self, checkout: Path, files: Mapping[str, bytes], side: str, output: Path, class_path: list[Path], revision: str
    ) -> Compilation | None:
        options = [*self.options, "-encoding", self.encodings.get(revision, "UTF-8")]
        sources = []
        for path, content in files.items():
            file = checkout / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content)
            if path.startswith(side):
                sources.append(file)
        return self.worker.compile(sources, class_path, options, output) if sources else None


def diagnostics(done: Compilation, folder: Path) -> tuple[Diagnostic, ...]:
    return tuple(
        Diagnostic(
            path=error.path.relative_to(folder).as_posix() if error.path else "",
            line=error.line,
            code=error.code,
            message=error.message,
        )
        for error in done.diagnostics
    )


@dataclass
class CountingRunner:
    """The real runner; knows what it was asked for."""

    real: OneShotRunner
    asked: list[tuple[str, TestKey]] = field(default_factory=list)
    name: str = "one_shot"
    key: str = "counting"
    sandbox: str = "none"
    without_verdict: int = 0
    """How many of the next runs end as when the launcher fails."""
    tosses: dict[str, list[Outcome]] = field(default_factory=dict)
    """How the next runs on a revision end, as of a test that tosses coins."""

    def run_method(
        self,
        tree: BuiltTree,
        test: TestKey,
        logs: Path | None = None,
        variation: Variation = AS_IT_IS,
        times_limit: float = 1,
    ) -> MethodRun:
        self.asked.append((tree.checkout.revision, test))
        if self.without_verdict:
            self.without_verdict -= 1
            return MethodRun(Outcome.INFRASTRUCTURE, message="no verdict")
        if self.tosses.get(tree.checkout.revision):
            return MethodRun(self.tosses[tree.checkout.revision].pop(0))
        return self.real.run_method(tree, test, logs, variation, times_limit)


class TinyWorkspace:
    """Stands in for `testevo.revisions.workspace.Workspace`."""

    def __init__(
        self, folder: Path, worker: Worker, old: Files, new: Files, framework: str = "junit4", **evaluation: object
    ) -> None:
        self.git = TinyGit({OLD: as_bytes(old), NEW: as_bytes(new)})
        self.scratch = folder / "scratch"
        self.engine = TinyEngine(folder / "builds", self.git, worker, framework)
        limits = Limits(method_seconds=60, memory_mb=256)
        self.runner = CountingRunner(OneShotRunner(folder / "runs", limits))
        self.overrides = BuildOverrides()
        self.config = Config.model_validate({"evaluation": {"mutation": {"enabled": False}} | evaluation})
        self._builds: dict[str, BuildResult] = {}

    def build(self, revision: str) -> BuildResult:
        if revision not in self._builds:
            self._builds[revision] = self.engine.build(revision)
        return self._builds[revision]


def dependency(files: Files, path: str, name: str, kind: ChangeKind = ChangeKind.MODIFIED) -> Dependency:
    """The first method of that name in a production file."""
    content = as_bytes(files)[path]
    method = next(found for found in parse_java(content, path).methods if found.key.name == name)
    return Dependency(method=method.key, kind=kind, path=path, span=method.span)


def task_of(
    files: Files,
    path: str,
    names: Sequence[str],
    dependencies: Sequence[Dependency],
    track: Track = Track.GENERATION,
    old_path: str | None = None,
    **of_test: object,
) -> Task:
    """A task whose targets are methods of the test file at `path` of the new revision."""
    content = as_bytes(files)[path]
    by_name = {method.key.name: method for method in parse_java(content, path).methods}
    label = LabelKind.DISCRIMINATING if track is Track.GENERATION else LabelKind.UPDATE
    found: dict[str, Any] = {
        "change": ChangeKind.INSERTED,
        "label": label,
        "dependencies": tuple(dependencies),
    } | of_test
    evidence = (
        made_evidence(
            TestKey(module="", path=path, **by_name[name].key.model_dump()), new_span=by_name[name].span, **found
        )
        for name in names
    )
    return made_task(
        tuple(evidence),
        task_id="o_p__t",
        track=track,
        repository="o/p",
        old_revision=OLD,
        new_revision=NEW,
        old_time=1,
        new_time=2,
        jdk=this_jdk().feature,
        test_file=path,
        old_test_file=old_path,
        dependencies=tuple(dependencies),
    )


def grade(
    workspace: TinyWorkspace,
    task: Task,
    content: str | bytes | None,
    store: ResultStore | None = None,
    logs: Path | None = None,
    system: str = "someone",
    **more: object,
) -> GradedTask:
    """Grade `content` as the edited test file."""
    data = content.encode() if isinstance(content, str) else content
    edit = Edit(task_id=task.task_id, system=system, **encoded(data), **more)  # type: ignore[arg-type]
    gold = workspace.git.read(NEW, task.test_file)
    assert gold is not None
    grader = Grader(workspace, store or ResultStore(workspace.scratch / "store"), logs)  # type: ignore[arg-type]
    try:
        return grader.grade(task, edit, TargetFile(task.test_file, None, gold))
    finally:
        grader.close()


MakeWorkspace = Callable[..., TinyWorkspace]


@pytest.fixture(scope="session")
def worker() -> Iterator[Worker]:
    """A warm compiler for all tests of a session."""
    with Worker(this_jdk().home) as warm:
        yield warm


@pytest.fixture
def make(tmp_path: Path, worker: Worker) -> MakeWorkspace:
    """A function that makes a workspace of an old and a new revision."""

    def made(old: Files, new: Files, **more: object) -> TinyWorkspace:
        return TinyWorkspace(tmp_path, worker, old, new, **more)  # type: ignore[arg-type]

    return made

"""Gold grading of one generated test with coverage: the grader against the console launcher with JaCoCo's agent.

The reference does what the paper does for a test that compiles already: the console launcher on the new code with the
agent, the report of the exec file as XML, the console launcher on the old code. The grader compiles its edit for both
revisions besides, since every turn submits another one.
"""

import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from testevo.builds.engine import BuiltTree
from testevo.config.load import load_config
from testevo.config.model import Config
from testevo.grading.coverage.coverage_service import JACOCO
from testevo.grading.grader import Grader
from testevo.grading.result_store import ResultStore
from testevo.history.bundle import clone_history
from testevo.java.syntax import parse_java
from testevo.packaging.start_states.start_state import target_file
from testevo.records.evaluation.grading import Grade
from testevo.records.evaluation.predictions import Edit, encoded
from testevo.records.labels import Dependency, LabelKind
from testevo.records.methods import ChangeKind, TestKey, TestKind
from testevo.records.tasks import Task, TestEvidence, Track
from testevo.revisions.workspace import Workspace
from testevo.runtime.files.project import PROJECT
from testevo.sources.candidates import candidates
from testevo.sources.embedded.worlds import load_world, make_world
from testevo.sources.fetch import fetch
from tests.bench.ratios import Comparison
from tests.junit_jars import local_jar

WORLD, OLD, NEW = "ticket-counter", "c3", "c4"
CODE, TEST = "src/main/java/tickets/TicketCounter.java", "src/test/java/tickets/TicketCounterTest.java"
METHOD, FOCAL = "rejectsNegativeNumbers", "label"
CONSOLE = "org.junit.platform:junit-platform-console-standalone:1.10.2"
AGENT = f"org.jacoco:org.jacoco.agent:{JACOCO}:jar:runtime"
REPORT = f"org.jacoco:org.jacoco.cli:{JACOCO}:jar:nodeps"
BACK_TO_BACK = 3
"""The launcher must not be loaded from a cold disk in one way only; both do so many methods a turn."""


@contextmanager
def comparisons(folder: Path) -> Iterator[list[Comparison]]:
    """The one comparison of grading; what it started ends with the block."""
    config = load_config(
        {
            "sources": {"worlds": [WORLD]},
            "build": {"cache": str(PROJECT / "results" / "cache")},
            "evaluation": {"mutation": {"enabled": False}},
        }
    )
    with workspace_of(config, folder) as workspace:
        task = task_of(workspace, folder)
        new, old = workspace.built(task.new_revision), workspace.built(task.old_revision)
        target = target_file(task, workspace.git.read)
        reference = Reference(folder / "console", task)
        grader = Grader(workspace, ResultStore(folder / "store"))
        edits = count()

        def by_grader(_: int) -> None:
            for _ in range(BACK_TO_BACK):
                content = target.gold + f"// {next(edits)}\n".encode()
                graded = grader.grade(task, Edit(task_id=task.task_id, system="gold", **encoded(content)), target)
                assert graded.methods[0].grade is Grade.SUCCESS and graded.methods[0].coverage is not None

        def by_reference(_: int) -> None:
            for _ in range(BACK_TO_BACK):
                reference.grade(new, old_with_test(workspace, old, task, target.gold))

        try:
            yield [Comparison("grade one generated test, with coverage", by_reference, by_grader, 3.0)]
        finally:
            grader.close()


def workspace_of(config: Config, folder: Path) -> Workspace:
    """The embedded history as a job of the stage `evaluate` has it."""
    candidate = candidates(config)[0]
    repository, origin = fetch(candidate, config, folder / "origin")
    repository = clone_history(repository, origin, folder / "history.bundle", config.rules.walk)
    return Workspace(repository, folder / "history.bundle", config, folder / "scratch", trusted=True)


def task_of(workspace: Workspace, folder: Path) -> Task:
    """The task of one discriminating test, as mining finds it."""
    revisions = make_world(load_world(PROJECT / "worlds" / WORLD), folder / "again").revisions
    old, new = revisions[OLD], revisions[NEW]
    sources = {path: workspace.git.read(new, path) or b"" for path in (CODE, TEST)}
    method = next(found for found in parse_java(sources[TEST], TEST).methods if found.key.name == METHOD)
    focal = next(found for found in parse_java(sources[CODE], CODE).methods if found.key.name == FOCAL)
    dependency = Dependency(method=focal.key, kind=ChangeKind.MODIFIED, path=CODE, span=focal.span)
    build = workspace.build(new)
    assert build.jdk_feature is not None and build.fingerprint is not None
    evidence = TestEvidence(
        test=TestKey(module="", path=TEST, type_name=method.key.type_name, name=METHOD),
        test_kind=TestKind.JUNIT4,
        change=ChangeKind.INSERTED,
        label=LabelKind.DISCRIMINATING,
        old_source=None,
        new_source="",
        old_span=None,
        new_span=method.span,
        outcomes={},
        dependencies=(dependency,),
    )
    return Task(
        task_id="bench",
        track=Track.GENERATION,
        repository=f"worlds/{WORLD}",
        project_name=WORLD,
        version="HEAD",
        web_url=None,
        clone_url=WORLD,
        old_revision=old,
        new_revision=new,
        old_time=0,
        new_time=1,
        java_level=build.level,
        jdk=build.jdk_feature,
        fingerprint=build.fingerprint,
        module="",
        test_file=TEST,
        old_test_file=TEST,
        tests=(evidence,),
        dependencies=(dependency,),
    )


def old_with_test(workspace: Workspace, old: BuiltTree, task: Task, gold: bytes) -> BuiltTree:
    """The old revision with the developer's test; compiled once, then found again."""
    tree = workspace.engine.build_variant(old, {task.test_file: gold}).tree
    assert tree is not None
    return tree


@dataclass
class Reference:
    """Console launcher, agent and report, each a JVM of its own."""

    folder: Path
    task: Task

    def grade(self, new: BuiltTree, old: BuiltTree) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        data, xml = self.folder / "jacoco.exec", self.folder / "coverage.xml"
        assert self._launch(new, f"-javaagent:{local_jar(AGENT)}=destfile={data}") == 0
        subprocess.run(
            [
                new.jdk.home / "bin/java",
                "-jar",
                local_jar(REPORT),
                "report",
                data,
                "--classfiles",
                new.modules[0].production_classes,
                "--xml",
                xml,
                "--quiet",
            ],
            check=True,
        )
        assert b"<line " in xml.read_bytes()
        assert self._launch(old) == 1

    def _launch(self, tree: BuiltTree, *options: str) -> int:
        module, test = tree.modules[0], self.task.tests[0].test
        class_path = ":".join(str(entry) for entry in module.class_path)
        return subprocess.run(
            [
                tree.jdk.home / "bin/java",
                *options,
                "-jar",
                local_jar(CONSOLE),
                "execute",
                "--class-path",
                class_path,
                "--select-method",
                f"{test.type_name}#{test.name}",
                "--fail-if-no-tests",
                "--details=none",
                "--disable-banner",
                f"--reports-dir={self.folder / 'reports'}",
            ],
            cwd=module.folder,
            check=False,
            capture_output=True,
        ).returncode

"""What Maven has made of a revision is given back in a later stage, as if it had just been made there."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from testevo.builds.engine import BuildResult, BuiltTree, Checkout
from testevo.builds.maven.maven_run import Maven
from testevo.execution.runner import Limits
from testevo.execution.runners.maven_tests import UnconfinedMaven
from testevo.execution.runners.one_shot import OneShotRunner
from testevo.execution.runners.surefire import SurefireRunner
from testevo.records.verdicts import Outcome
from testevo.runtime.errors import MachineError
from tests.engines.small_projects import direct_engine, pom, write_project

pytestmark = pytest.mark.maven

GROUPS = "<groups>fast &amp; !slow</groups>"
RESOURCES = (
    "<resources><resource><directory>src/main/resources</directory><filtering>true</filtering></resource></resources>"
)
CODE, TEST, RESOURCE = "src/main/java/g/One.java", "src/test/java/g/OneTest.java", "src/main/resources/one.txt"
FILES = {
    CODE: "package g;\npublic class One { public int one() { return 1; } }\n",
    TEST: "package g;\nimport org.junit.jupiter.api.*;\nclass OneTest {\n"
    '  @Test @Tag("fast") void one() { Assertions.assertEquals(1, new One().one()); }\n'
    '  @Test @Tag("slow") void two() { }\n}\n',
}


class Stages:
    """Builds the same checkout again and again, each time in a stage of its own."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.folder = folder
        self.cache = folder / "cache"
        self.number = 0
        self.runs: list[str] = []
        """The folders in which Maven ran."""
        run = Maven.run

        def noted(maven: Maven, place: Path, *arguments: object, **more: object) -> object:
            self.runs.append(place.name)
            return run(maven, place, *arguments, **more)  # type: ignore[arg-type]

        monkeypatch.setattr(Maven, "run", noted)

    def next_stage(self, checkout: Checkout) -> tuple[BuildResult, dict[str, bytes], int]:
        """The result, what lies in the folder of the build, and how often Maven built the revision."""
        self.number += 1
        self.runs.clear()
        with direct_engine(self.folder / f"stage {self.number}".replace(" ", "-"), self.cache) as engine:
            result = engine.build(checkout)
            assert result.tree is not None, result.reason
            folder = result.tree.modules[0].folder
            made = {str(file.relative_to(folder)): file.read_bytes() for file in folder.rglob("*") if file.is_file()}
            runs = self.runs.count(folder.name)
            self.look_at(result.tree)
        return result, made, runs

    def look_at(self, tree: BuiltTree) -> None:
        """Tests run, and Maven finds all classes up to date."""
        limits = Limits(method_seconds=60)
        runner = SurefireRunner(OneShotRunner(self.folder / "runs", limits), limits)
        assert [(one.test.name, one.outcome) for one in runner.run_suite(tree).tests] == [("one", Outcome.PASSED)]
        with UnconfinedMaven(limits).run(tree, [], 60) as tested:
            assert tested.finished.stdout.count(b"Nothing to compile - all classes are up to date") == 2


def checkout_of(folder: Path, files: Mapping[str, str], build: str = "") -> Checkout:
    return write_project(folder, {"pom.xml": pom(properties=GROUPS, build=build), **FILES, **files})


def test_a_later_stage_goes_on_with_what_maven_has_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stages, checkout = Stages(tmp_path, monkeypatch), checkout_of(tmp_path / "checkout", {})
    first, made, runs = stages.next_stage(checkout)
    again, given_back, runs_again = stages.next_stage(checkout)
    assert (runs, runs_again) == (1, 0)
    assert first.fallback and again.fallback == first.fallback
    lists = {path for path in made if "maven-status" in path}
    assert lists and made.keys() == given_back.keys()
    assert {path for path in made if made[path] != given_back[path]} <= lists
    here = {path: text.replace(b"stage-1", b"stage-2") for path, text in made.items()}
    assert here == given_back


def test_what_names_the_folder_is_made_each_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {RESOURCE: "${project.basedir}\n"}
    stages = Stages(tmp_path, monkeypatch)
    checkout = checkout_of(tmp_path / "checkout", files, build=RESOURCES)
    for _ in range(2):
        result, made, runs = stages.next_stage(checkout)
        assert result.tree is not None and runs == 1
        folder = result.tree.modules[0].folder
        assert made["target/classes/one.txt"].decode().strip() == str(folder)


def test_a_damaged_archive_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stages, checkout = Stages(tmp_path, monkeypatch), checkout_of(tmp_path / "checkout", {})
    stages.next_stage(checkout)
    [archive] = (stages.cache / "builds").iterdir()
    archive.write_bytes(archive.read_bytes()[:-20])
    with pytest.raises(MachineError, match=r"is damaged \(.*\)\. Delete it and run again"):
        stages.next_stage(checkout)

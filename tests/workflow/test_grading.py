"""Grading runs from the command line: killed, repeated, changed, on any number of workers."""

import json
import shutil
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from gradings import Grading, developers_files
from snapshots import CONSENT, Snapshot, command_line, jobs_of, one_message, signal_group, wait_until

from testevo.analysis.reporting.validation import own_success
from testevo.packaging.dataset.dataset_folder import read_tasks, verify_dataset
from testevo.records.base import read_records
from testevo.records.evaluation.grading import Grade
from testevo.records.evidence.mutants import Mutant
from testevo.records.tasks import OpenTask
from tests.controls.one_kind import write_submissions

pytestmark = [pytest.mark.maven, pytest.mark.xdist_group("mined")]

BROKEN = "class Broken {"


@pytest.fixture(scope="session")
def dataset(mined: Snapshot, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A copy of the mined dataset, far from the snapshot; whatever is graded, it stays as it is."""
    copied = tmp_path_factory.mktemp("elsewhere") / "dataset"
    shutil.copytree(mined.layout.dataset, copied)
    yield copied
    verify_dataset(copied)
    listed = {line.split(maxsplit=1)[1] for line in (copied / "checksums.sha256").read_text().splitlines()}
    assert {file.relative_to(copied).as_posix() for file in copied.rglob("*") if file.is_file()} - listed == {
        "checksums.sha256",
        "provenance.json",
    }


def made(folder: Path, dataset: Path, shared_cache: Path) -> Grading:
    """Two systems: one submits what the developer wrote, the other one broken, one empty and no further file."""
    files = developers_files(dataset)
    first, second, *_ = sorted(files)
    return Grading.of(folder, dataset, shared_cache, {"copycat": files, "sloppy": {first: BROKEN, second: None}})


@pytest.fixture(scope="session")
def graded(dataset: Path, shared_cache: Path, tmp_path_factory: pytest.TempPathFactory) -> Grading:
    """Both systems graded by one worker, without an interruption."""
    grading = made(tmp_path_factory.mktemp("graded"), dataset, shared_cache)
    finished = grading.run(grading.evaluate())
    assert finished.returncode == 0, finished.stdout[-3000:] + finished.stderr[-3000:]
    assert "copycat" in finished.stdout and "sloppy" in finished.stdout
    return grading


def test_every_task_has_one_grade_and_its_reason(graded: Grading, dataset: Path) -> None:
    """Developers' files succeed; broken, empty and missing ones fail, each in its own way (TEB-V01)."""
    tasks = sorted(task.task_id for task in read_tasks(dataset))
    copycat, sloppy = graded.grades("copycat"), graded.grades("sloppy")
    assert sorted(copycat) == sorted(sloppy) == tasks
    assert {method.grade for one in copycat.values() for method in one.methods} == {Grade.SUCCESS}
    gold = {one.task_id: one.tests for one in read_tasks(dataset)}
    measured = {name: [(one.gold_coverage, one.gold_mutation) for one in tests] for name, tests in gold.items()}
    assert {name: [(one.coverage, one.mutation) for one in task.methods] for name, task in copycat.items()} == measured
    failed = [(sloppy[name].methods[0].grade, [d.kind.value for d in sloppy[name].defects][:1]) for name in tasks]
    assert failed[0][0] in (Grade.COMPILE_FAIL, Grade.HARNESS_FAIL)
    assert failed[1] == (Grade.HARNESS_FAIL, ["empty"])
    assert all(one == (Grade.HARNESS_FAIL, ["missing_task"]) for one in failed[2:])


KINDS = ("universal", "replay", "disguised", "hollow", "recogniser")


def test_no_kind_of_control_has_a_success_of_its_own_on_any_task(
    dataset: Path, shared_cache: Path, tmp_path: Path
) -> None:
    """Each kind on every task, where the controls share them out; an update of nothing passes and is seen through."""
    grading = Grading.of(tmp_path, dataset, shared_cache, {})
    for kind in KINDS:
        write_submissions(dataset, kind, tmp_path / f"{kind}.jsonl")
    finished = grading.run(grading.evaluate())
    assert finished.returncode == 0, finished.stderr
    track = {task.task_id: task.track for task in read_tasks(dataset)}
    for kind in KINDS:
        grades = grading.grades(kind)
        assert sorted(grades) == sorted(track)
        assert not [one for task, grade in grades.items() for one in grade.methods if own_success(one, track[task])]


def test_reports_of_each_system_have_the_shape_of_swe_bench(graded: Grading) -> None:
    """`report.json` counts and lists ids."""
    report = json.loads((graded.layout.evaluation / "copycat" / "report.json").read_bytes())
    assert report["resolved_instances"] == len(graded.grades("copycat")) and report["schema_version"] == 2
    sloppy = json.loads((graded.layout.evaluation / "sloppy" / "report.json").read_bytes())
    assert sloppy["resolved_ids"] == [] and len(sloppy["empty_patch_ids"]) == 1


def test_measured_developers_tests_are_part_of_the_dataset(dataset: Path) -> None:
    """Coverage, kill sets that close, scores and class files of mutants (TEB-K06, K09, V16)."""
    tasks = read_tasks(dataset)
    mutants = read_records(dataset / "mutants.jsonl", Mutant)
    assert {task.quarantined for task in tasks} == {None}
    assert all(evidence.gold_coverage and evidence.gold_coverage.covered for task in tasks for evidence in task.tests)
    assert all(account.closes for task in tasks for evidence in task.tests for account in evidence.accounting)
    assert mutants and {mutant.task_id for mutant in mutants} == {task.task_id for task in tasks if task.mutants}
    archives = {file.stem for file in (dataset / "mutants").glob("*.zip")}
    assert archives == {task.task_id for task in tasks if task.mutants}


def test_a_run_killed_twice_ends_like_one_never_killed(
    graded: Grading, dataset: Path, shared_cache: Path, tmp_path: Path
) -> None:
    """SIGKILL after the first and the third result: the command resumes to equal bytes, and grades nothing twice."""
    killed = made(tmp_path, dataset, shared_cache)
    seen: dict[str, int] = {}
    for results in (1, 3):
        child = killed.start(killed.evaluate())
        wait_until(lambda least=results: len(killed.kept()) >= least, child)  # type: ignore[misc]
        signal_group(child, signal.SIGKILL)
        assert seen.items() <= killed.kept().items()
        seen = killed.kept()
    finished = killed.run(killed.evaluate())
    assert finished.returncode == 0, finished.stderr
    assert seen.items() <= killed.kept().items()
    assert killed.outputs() == graded.outputs()


def test_two_workers_give_the_bytes_of_one(graded: Grading, dataset: Path, shared_cache: Path, tmp_path: Path) -> None:
    """Grades, tables, figures and reports are equal, with two processes for each job."""
    twice = made(tmp_path, dataset, shared_cache)
    with (tmp_path / "machine.yaml").open("a") as settings:
        settings.write("machine: {processes: 2}\n")
    finished = twice.run(twice.evaluate(workers=2))
    assert finished.returncode == 0, finished.stderr
    assert twice.outputs() == graded.outputs()


def test_the_snapshot_itself_is_graded_like_its_copy(graded: Grading, mined: Snapshot) -> None:
    """`snakemake evaluate` on a mined snapshot: no stage of mining runs again, and the grades are those of the copy."""
    files = ", ".join(f"{name}: {graded.folder / name}.jsonl" for name in ("copycat", "sloppy"))
    finished = mined.run(
        mined.workflow(
            "--config",
            f"evaluation={{gold_runs: 2, controls: [], predictions: {{{files}}}}}",
            f"execution={{sandbox: {CONSENT}}}",
            "--",
            "evaluate",
        )
    )
    said = finished.stdout + finished.stderr
    assert finished.returncode == 0, said
    assert set(jobs_of(said)) == {"evaluate_repository", "swe_bench_report", "evaluate"}
    grades = {name: digest for name, digest in graded.outputs().items() if name.startswith("evaluate/")}
    own = Grading(mined.folder)
    copies = {file.relative_to(mined.layout.root).as_posix() for file in mined.layout.evaluation.glob("*/*.json*")}
    assert copies == grades.keys() and own.folder.is_dir()
    for name in grades:
        assert (mined.layout.root / name).read_bytes() == (graded.layout.root / name).read_bytes()


def test_a_second_run_does_nothing(graded: Grading) -> None:
    """The same command grades and writes nothing again."""
    root = graded.layout.root
    files = [file for part in ("evaluate", "graded", "aggregate") for file in (root / part).rglob("*.*")]
    before = {file: file.stat().st_mtime_ns for file in files}
    finished = graded.run(graded.evaluate())
    assert finished.returncode == 0, finished.stderr
    assert {file: file.stat().st_mtime_ns for file in files} == before
    assert "steps" not in finished.stderr


def test_a_changed_edit_is_graded_again_and_no_other(
    graded: Grading, dataset: Path, shared_cache: Path, tmp_path: Path
) -> None:
    """One prediction changes under the same name: one result is made, those of equal edits stay."""
    changed = made(tmp_path, dataset, shared_cache)
    shutil.copytree(graded.layout.root, changed.layout.root)
    before = changed.kept()
    files = developers_files(dataset)
    name = max(files)
    changed.write("copycat", files | {name: BROKEN})
    finished = changed.run(changed.evaluate())
    assert finished.returncode == 0, finished.stderr
    assert len(changed.kept().keys() - before.keys()) == 1
    assert before.items() <= changed.kept().items()
    assert changed.grades("copycat")[name].methods[0].grade is not Grade.SUCCESS
    others = {task: one for task, one in changed.grades("copycat").items() if task != name}
    assert others == {task: one for task, one in graded.grades("copycat").items() if task != name}


def test_tasks_are_chosen_by_pattern_track_and_day(
    graded: Grading, dataset: Path, shared_cache: Path, tmp_path: Path
) -> None:
    """Every chosen task is graded and no other; a choice of nothing is refused."""
    grading = made(tmp_path, dataset, shared_cache)
    shutil.copytree(graded.layout.graded, grading.layout.graded)
    finished = grading.run(grading.evaluate("--track", "generation", "--task", "worlds_savings*"))
    assert finished.returncode == 0, finished.stderr
    tasks = read_records(dataset / "tasks/generation.jsonl", OpenTask)
    chosen = [task.task_id for task in tasks if "savings" in task.task_id]
    assert sorted(grading.grades("copycat")) == sorted(chosen)
    nothing = grading.run(grading.evaluate("--until", "2001-01-01"))
    assert "is asked for" in one_message(nothing, 2)


def test_status_knows_what_is_graded(graded: Grading) -> None:
    finished = graded.run(command_line("status", "out", "--json"))
    states = {(one["repository"], one["stage"]): one["state"] for one in json.loads(finished.stdout)}
    assert states == {
        ("worlds/orchard", "evaluate"): "done",
        ("worlds/savings", "evaluate"): "done",
        ("all", "aggregate"): "done",
    }


def test_one_task_is_run_with_the_developers_test_or_another_file(graded: Grading, tmp_path: Path) -> None:
    """`task run`: status 0 when all target methods succeed, 8 when not; outcomes, coverage and logs are shown."""
    run = ("task", "run", "SavingsTest_5ca388b6", "--dataset", "dataset", "--configuration", "machine.yaml")
    good = graded.run(command_line(*run, "--logs", str(tmp_path)))
    assert good.returncode == 0, good.stderr
    assert "testWithdraws: success" in good.stdout and "executable lines" in good.stdout
    assert list(tmp_path.rglob("result.xml"))
    (tmp_path / "Mine.java").write_text(BROKEN)
    bad = graded.run(command_line(*run, "--logs", str(tmp_path), "--test", str(tmp_path / "Mine.java")))
    assert bad.returncode == 8 and "success:" not in bad.stdout, bad.stdout


def bad(folder: Path, message: str, *arguments: str, status: int = 3) -> None:
    """A command that must end with one message before anything runs."""
    finished = Snapshot(folder).run(command_line("evaluate", *arguments, "--output", "out"))
    assert message in one_message(finished, status)
    assert not (folder / "out").exists()


def test_bad_inputs_stop_before_anything_runs(graded: Grading, dataset: Path, tmp_path: Path) -> None:
    """No dataset, another schema version, a tampered file, no predictions, predictions of another dataset."""
    given = ("--predictions", str(graded.folder / "copycat.jsonl"))
    bad(tmp_path, "is neither a dataset", "--dataset", "nowhere", *given)
    tampered = tmp_path / "tampered"
    shutil.copytree(dataset, tampered)
    description = json.loads((tampered / "snapshot.json").read_bytes())
    (tampered / "snapshot.json").write_text(json.dumps(description | {"schema": 1}))
    bad(tmp_path, "schema version 1", "--dataset", str(tampered), *given)
    shutil.copy(dataset / "snapshot.json", tampered)
    (tampered / "tasks/update.jsonl").write_bytes((dataset / "tasks/update.jsonl").read_bytes()[:-2])
    bad(tmp_path, "update.jsonl is missing or differs", "--dataset", str(tampered), *given)
    good = ("--dataset", str(dataset))
    bad(tmp_path, "nothing.jsonl", *good, "--predictions", "nothing.jsonl")
    bad(tmp_path, "nothing.jsonl", *good, "--predictions", "mine=nothing.jsonl")
    (tmp_path / "text.jsonl").write_text("no json\n")
    bad(tmp_path, "text.jsonl", *good, "--predictions", "text.jsonl")
    (tmp_path / "other.jsonl").write_text('{"instance_id": "x", "model_name_or_path": "y", "model_patch": ""}\n')
    bad(tmp_path, "none of the 1 predictions", *good, "--predictions", "other.jsonl")
    bad(tmp_path, "nothing to grade", *good, status=2)
    bad(tmp_path, "no control goldd", *good, "--controls", "goldd", status=2)


def test_the_workflow_itself_refuses_bad_datasets_and_missing_predictions(dataset: Path, tmp_path: Path) -> None:
    """Without the command line around it: one message and its status."""
    for section, message in (
        ({"dataset": "nowhere", "controls": []}, "is not a dataset"),
        ({"dataset": str(dataset), "controls": [], "predictions": {"mine": "nothing.jsonl"}}, "nothing.jsonl"),
        ({"dataset": str(dataset), "controls": [], "predictions": {"gold": "nothing.jsonl"}}, "name of a control"),
    ):
        (tmp_path / "snapshot.yaml").write_text(json.dumps({"evaluation": section}))
        finished = Snapshot(tmp_path).run(Snapshot(tmp_path).workflow())
        said = finished.stdout + finished.stderr
        assert finished.returncode in (2, 3) and said.count("error: ") == 1 and message in said, said
        assert "Traceback" not in said

"""A dataset of any size with graded systems, made without mining anything: what the tests and timings of the site show.

python -m tests.site.synthetic_dataset FOLDER --tasks 5000 --systems 20
"""

import argparse
import json
import subprocess
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np

from testevo.config.snapshot.layout import Layout
from testevo.execution.runner import MethodRun
from testevo.execution.verdicts.junit_xml import Case, write_logs
from testevo.execution.verdicts.log_archive import pack_logs
from testevo.grading.mutation.mutation_score import mutation_score
from testevo.grading.verdicts.discrimination import discrimination
from testevo.grading.verdicts.ungraded import NOT_MEASURED
from testevo.history.git import GitRepository
from testevo.history.revision_bundle import bundle_of_revisions
from testevo.packaging.dataset.dataset_folder import SCHEMA_VERSION, read_tasks
from testevo.packaging.dataset.task_files import task_files
from testevo.packaging.dataset_writer import TestRecord
from testevo.records.base import write_records
from testevo.records.evaluation.grading import Grade, GradedTask, MethodResult
from testevo.records.evidence.mutants import Mutant, MutantFate, MutantRun
from testevo.records.evidence.stability import Axis, Stability
from testevo.records.executions import Combination, Execution
from testevo.records.labels import Dependency, DropReason, LabelKind
from testevo.records.methods import ChangeKind, MethodKey, Span, TestKey, TestKind
from testevo.records.repository import Repository, SourceKind
from testevo.records.tasks import Coverage, FunnelCount, FunnelStage, Task, TestEvidence, Track
from testevo.records.verdicts import Diagnostic, Outcome
from testevo.runtime.files.files import content_key

HOSTILE = "<img src=x onerror=alert(1)>\u202e"
"""A name that a page must show and not run."""
LONG = "paysInterestOnEveryDayOfTheYearWhoseMonthHasThirtyOneDays"
CODE = "src/main/java/p/Account.java"
TEST = "src/test/java/p/AccountTest.java"
OLD_TEST = """@Test
void paysInterest() {
    Account account = new Account(100);
    account.addInterest(5);
    assertEquals(105, account.balance());
}"""
NEW_TEST = """@Test
void paysInterest() {
    Account account = new Account(100);
    account.addInterest(5, Rounding.DOWN);
    assertEquals(105, account.balance());
    assertThrows(IllegalArgumentException.class, () -> account.addInterest(-1, Rounding.DOWN));
}"""
FILLER = "".join(
    f"\n    /** Nothing to see. */\n    int unused{number}() {{\n        return {number};\n    }}\n"
    for number in range(30)
)
OLD_CODE = f"""package p;

/** An account of a bank. */
public class Account {{
    private long balance;

    public Account(long balance) {{
        this.balance = balance;
    }}

    public void addInterest(int percent) {{
        balance += balance * percent / 100;
    }}
{FILLER}
    public long balance() {{
        return balance;
    }}
}}
"""
NEW_CODE = OLD_CODE.replace(
    """    public void addInterest(int percent) {
        balance += balance * percent / 100;
""",
    """    public void addInterest(int percent, Rounding rounding) {
        if (percent < 0) {
            throw new IllegalArgumentException("negative: " + percent);
        }
        balance += rounding.round(balance * percent, 100);
""",
)
FIRST_LINE = NEW_CODE.splitlines().index("    public void addInterest(int percent, Rounding rounding) {") + 1
"""Of the method that changes, which has six."""
TRACE = f"""org.opentest4j.AssertionFailedError: expected: <105> but was: <104> in p.Account@1b2c3d4 {HOSTILE}
\tat org.junit.jupiter.api.AssertEquals.failNotEqual(AssertEquals.java:197)
\tat p.AccountTest.paysInterest(AccountTest.java:7)
\tat java.base/jdk.internal.reflect.DirectMethodHandleAccessor.invoke(DirectMethodHandleAccessor.java:103)
\tat org.junit.platform.commons.util.ReflectionUtils.invokeMethod(ReflectionUtils.java:767)
Caused by: java.io.IOException: /tmp/junit4711/balance at 2026-01-02T03:04:05Z after 17 ms
\tat p.Account.addInterest(Account.java:14)
\t... 42 more
"""
FIRST_DAY, LAST_DAY = datetime(2015, 1, 1, tzinfo=UTC), datetime(2026, 6, 30, tzinfo=UTC)
FAILURES = (
    (Grade.EXEC_FAIL, Outcome.ASSERTION_FAILED),
    (Grade.EXEC_FAIL, Outcome.EXCEPTION),
    (Grade.COMPILE_FAIL, Outcome.COMPILE_ERROR_IN_METHOD),
)
SAID = {
    Outcome.ASSERTION_FAILED: ("org.opentest4j.AssertionFailedError", "expected: <105> but was: <104>"),
    Outcome.EXCEPTION: ("java.lang.NullPointerException", "rounding is null"),
    Outcome.COMPILE_ERROR_IN_METHOD: (None, "cannot find symbol: method addInterest(int)"),
}
"""What a run that does not pass throws, and the message of that or of the compiler."""
FATES = (MutantFate.KILLED_BY_ASSERTION, MutantFate.SURVIVED, MutantFate.KILLED_BY_EXCEPTION)
MUTANT_RUNS = tuple(MutantRun(mutant=f"m{place}", fate=fate) for place, fate in enumerate(FATES))
"""Of the developer's test of any task."""


def write_dataset(folder: Path, *, tasks: int, systems: int, repositories: int = 0, name: str = "synthetic") -> Path:
    """Write `folder/dataset` and `folder/graded.jsonl`; equal sizes give equal bytes, and no outcome is impossible.

    Args:
        tasks: over both tracks, alternating.
        systems: submitted ones; the control `gold` is graded too.
        repositories: a tenth of the tasks if 0, at most 80.
        name: of the snapshot.
    """
    dataset = folder / "dataset"
    (dataset / "histories").mkdir(parents=True)
    (dataset / "records").mkdir()
    names = [f"owner{number % 7}/project-{number}" for number in range(repositories or min(80, 1 + tasks // 10))]
    old, new = _write_histories(folder / "git", dataset / "histories", [one.replace("/", "+") for one in names])
    made = [_task(number, names, old, new, tasks) for number in range(tasks)]
    for file, records in task_files(made).items():
        write_records(dataset / file, records)
    write_records(dataset / "mutants.jsonl", [one for task in made for one in _mutants(task.task_id)])
    write_records(dataset / "repositories.jsonl", [_repository(one) for one in names])
    for one in names:
        write_records(dataset / "records" / f"{one.replace('/', '+')}.jsonl", _dropped(one, old, new))
    _write_documents(dataset, tasks, name)
    graded = [
        one for number in range(systems) for one in _graded(made, f"agent-{number:02} + model-{number % 5}", number)
    ]
    write_records(folder / "graded.jsonl", [*graded, *_graded(made, "gold", None)])
    return dataset


def _write_histories(work: Path, bundles: Path, slugs: list[str]) -> tuple[str, str]:
    """One history of two revisions, the same for every repository."""

    def git(*arguments: str) -> str:
        identity = ["-c", "user.name=synthetic", "-c", "user.email=synthetic@example.org"]
        day = {"GIT_AUTHOR_DATE": "2020-01-01T00:00:00Z", "GIT_COMMITTER_DATE": "2020-01-01T00:00:00Z"}
        return subprocess.run(
            ["git", *identity, *arguments],
            cwd=work,
            check=True,
            capture_output=True,
            text=True,
            env=day | {"PATH": "/usr/bin:/bin"},
        ).stdout.strip()

    work.mkdir()
    git("init", "--quiet")
    revisions = []
    for code, test in ((OLD_CODE, OLD_TEST), (NEW_CODE, NEW_TEST)):
        for path, content in ((CODE, code), (TEST, f"package p;\n\nclass AccountTest {{\n{test}\n}}\n")):
            (work / path).parent.mkdir(parents=True, exist_ok=True)
            (work / path).write_text(content)
        git("add", ".")
        git("commit", "--quiet", "--message", "change")
        revisions.append(git("rev-parse", "HEAD"))
    content = bundle_of_revisions(GitRepository(work / ".git"), revisions)
    for slug in slugs:
        (bundles / f"{slug}.bundle").write_bytes(content)
    return revisions[0], revisions[1]


def _key(name: str = "paysInterest") -> TestKey:
    return TestKey(module="", path=TEST, type_name="p.AccountTest", name=name)


def _task(number: int, names: list[str], old: str, new: str, total: int) -> Task:
    track = Track.GENERATION if number % 2 else Track.UPDATE
    seconds = (LAST_DAY - FIRST_DAY).total_seconds() * (number / max(1, total - 1)) ** 0.6
    when = int(FIRST_DAY.timestamp() + seconds)
    span = Span(first_line=FIRST_LINE, last_line=FIRST_LINE + 5)
    method = MethodKey(type_name="p.Account", name="addInterest", parameters=("int", "Rounding"))
    dependency = Dependency(method=method, kind=ChangeKind.MODIFIED, path=CODE, span=span, score=0.75)
    repository = names[number % len(names)]
    task_id = f"{repository.replace('/', '_')}-v1__{number:07x}_{number + 7:07x}__AccountTest_{number:08x}"
    name = {0: LONG, 3: HOSTILE}.get(number, f"paysInterest{number}")
    update = track is Track.UPDATE
    broken = Outcome.COMPILE_ERROR_IN_METHOD if number // 2 % 4 else Outcome.ASSERTION_FAILED
    unstable = number % 50 == 49
    evidence = TestEvidence(
        test=_key(name),
        test_kind=(TestKind.JUPITER, TestKind.JUNIT4, TestKind.PARAMETERISED)[number % 3],
        change=ChangeKind.MODIFIED if update else ChangeKind.INSERTED,
        label=LabelKind.UPDATE if update else LabelKind.DISCRIMINATING,
        old_source=OLD_TEST if update else None,
        new_source=NEW_TEST if number != 3 else f"{NEW_TEST}\n// {HOSTILE}",
        old_span=Span(first_line=4, last_line=9) if update else None,
        new_span=Span(first_line=4, last_line=10),
        outcomes=(
            {"old_test_old_code": Outcome.PASSED, "old_test_new_code": broken}
            if update
            else {"new_test_old_code": broken}
        )
        | {"new_test_new_code": Outcome.PASSED},
        dependencies=(dependency,),
        focal=str(method),
        gold_coverage=Coverage(covered=3, raw_lines=6, executable_lines=4),
        gold_mutation=mutation_score(MUTANT_RUNS, _mutants(task_id)),
        stability=(Stability(axes=(Axis.TIME_ZONE, Axis.LOCALE), runs=5, failures=2 if unstable else 0),),
        mutants=tuple(run.mutant for run in MUTANT_RUNS),
    )
    return Task(
        task_id=task_id,
        track=track,
        repository=repository,
        project_name=f"{repository.replace('/', '_')}-v1",
        version="v1",
        web_url=f"https://example.org/{repository}",
        clone_url=f"https://example.org/{repository}.git",
        old_revision=old,
        new_revision=new,
        old_time=when - 86400,
        new_time=when,
        java_level="17",
        jdk=17,
        fingerprint="f",
        module="",
        test_file=TEST,
        old_test_file=None,
        tests=(evidence,),
        dependencies=(dependency,),
        mutants=len(MUTANT_RUNS),
        quarantined="the developer's test fails in 2 of 5 runs" if unstable else None,
    )


def _mutants(task_id: str) -> list[Mutant]:
    changes = (("if (percent < 0) {", "if (percent <= 0) {"), ("if (percent < 0) {", "if (true) {"))
    texts = [*changes, ('throw new IllegalArgumentException("negative: " + percent);', "")]
    return [
        Mutant(
            task_id=task_id,
            mutant=f"m{place}",
            path=CODE,
            first_line=FIRST_LINE + 1 + (place == 2),
            original=original,
            mutated=mutated,
            classes={},
        )
        for place, (original, mutated) in enumerate(texts)
    ]


def _repository(name: str) -> Repository:
    address = f"https://example.org/{name}"
    return Repository(
        name=name,
        source=SourceKind.LIST,
        address=f"{address}.git",
        web_url=address,
        clone_url=f"{address}.git",
        licence="Apache-2.0",
        licence_origin="LICENSE",
        start="v1",
        version="v1",
    )


def _dropped(repository: str, old: str, new: str) -> list[TestRecord]:
    reasons = (DropReason.NO_DEPENDENCY, DropReason.REFINEMENT, DropReason.NEW_TEST_FAILS, DropReason.TEST_REFACTORED)
    return [
        TestRecord(
            repository=repository,
            old_revision=old,
            new_revision=new,
            test=_key(f"dropped{number}"),
            test_kind=TestKind.JUPITER,
            change=ChangeKind.MODIFIED,
            label=LabelKind.NONE,
            reason=reasons[number % len(reasons)],
            detail="as an example",
            dependencies=(),
            closure=(),
            focal=None,
            outcomes={"new_test_new_code": (Outcome.PASSED,)},
            stable=True,
        )
        for number in range(12)
    ]


def _graded(tasks: list[Task], system: str, number: int | None) -> list[GradedTask]:
    """Every task graded for one system; `number` decides how good it is, None is the developer's test.

    A system submits the developer's test, or one of those that fail; equal edits have equal grades.
    """
    draws = np.random.default_rng(0 if number is None else 1000 + number)
    skill = 1.0 if number is None else 0.9 - 0.025 * number
    found = []
    for task in tasks:
        lucky = draws.random() < skill
        fault = FAILURES[int(draws.integers(len(FAILURES)))]
        method = _passed(task) if lucky else _failed(task, *fault)
        edit = content_key(task.tests[0].new_source, str(method.new_run))
        found.append(
            GradedTask(
                system=system,
                task_id=task.task_id,
                track=task.track,
                repository=task.repository,
                old_revision=task.old_revision,
                new_revision=task.new_revision,
                new_time=task.new_time,
                key=content_key(task.task_id, edit),
                edit=edit,
                quarantined=task.quarantined,
                methods=(method,),
                cost_usd=None if number is None else round(0.05 + 1.2 * draws.random(), 4),
                tokens_in=None if number is None else 12000,
            )
        )
    return found


def _passed(task: Task) -> MethodResult:
    """The developer's test, with what the dataset says of it."""
    [evidence] = task.tests
    old_run = evidence.outcomes.get("new_test_old_code")
    told = None if old_run is None else discrimination(MethodRun(old_run, SAID[old_run][0]), evidence.test)
    return MethodResult(
        test=evidence.test,
        grade=Grade.SUCCESS,
        new_run=Outcome.PASSED,
        old_run=old_run,
        discrimination=told,
        behavioural_success=told is None or told.behavioural,
        **({} if old_run is None else _said(old_run)),
        coverage=evidence.gold_coverage,
        entered={CODE: tuple(range(FIRST_LINE, FIRST_LINE + 5))},
        mutation=evidence.gold_mutation,
        mutant_runs=MUTANT_RUNS,
    )


def _failed(task: Task, grade: Grade, run: Outcome) -> MethodResult:
    return MethodResult(test=task.tests[0].test, grade=grade, new_run=run, **_said(run), **NOT_MEASURED)


def _said(run: Outcome) -> dict[str, Any]:
    """What a run that does not pass said."""
    exception, message = SAID[run]
    diagnostics = (Diagnostic(path=TEST, line=7, code="compiler.err.cant.resolve", message=message),)
    return {"exception": exception, "message": message, "diagnostics": diagnostics if exception is None else ()}


def _write_documents(dataset: Path, tasks: int, name: str) -> None:
    description = {
        "schema": SCHEMA_VERSION,
        "snapshot": name,
        "preset": "strict",
        "rules": {},
        "config": {},
        "versions": {"testevo": "0"},
    }
    (dataset / "snapshot.json").write_text(json.dumps(description))
    (dataset / "checksums.sha256").touch()
    stages = [
        ("clone", "commits", 9 * tasks, {"": 6 * tasks, "isolated": 3 * tasks}),
        ("build_check", "commits", 6 * tasks, {"": 5 * tasks, "dependency_unavailable": tasks}),
        ("package", "test methods", 2 * tasks, {"": tasks, "refinement": tasks}),
    ]
    funnel = [
        FunnelStage(
            stage=stage,
            unit=unit,
            entered=entered,
            left=tuple(FunnelCount(reason=reason, count=count) for reason, count in left.items()),
        )
        for stage, unit, entered, left in stages
    ]
    (dataset / "funnel.json").write_text(json.dumps([one.model_dump(mode="json") for one in funnel]))
    (dataset / "datasheet.md").write_text("# Datasheet\n\nMade up, for tests of the site.\n")


def write_runs(dataset: Path) -> None:
    """What the runs of the tasks' tests said, with their logs, where the snapshot of the dataset has them."""
    tasks = read_tasks(dataset)
    for slug in sorted({one.slug for one in tasks}):
        files = Layout(dataset.absolute().parents[1]).of_repository(slug)
        own = [one for one in tasks if one.slug == slug]
        write_records(files.executions, [run for task in own for run in _executions(task)])
        for run in (run for task in own for run in _executions(task) if run.logs is not None):
            case = Case(run.test, run.outcome, run.exception, run.message, TRACE)
            write_logs(files.runs.parent / run.logs / "0", case, b"", b"")
        pack_logs(files.runs, files.packed_runs)


def _executions(task: Task) -> list[Execution]:
    [test] = task.tests
    found = []
    for combination, outcome in test.outcomes.items():
        fails = outcome is Outcome.ASSERTION_FAILED
        found.append(
            Execution(
                repository=task.repository,
                old_revision=task.old_revision,
                new_revision=task.new_revision,
                test=test.test,
                combination=Combination(combination),
                swap="none",
                old_tree="",
                outcomes=(outcome,),
                exception=SAID[outcome][0] if fails else None,
                message=SAID[outcome][1] if fails else None,
                logs=f"logs/ab/{task.task_id}" if fails else None,
            )
        )
    return found


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.site.synthetic_dataset", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--tasks", type=int, default=200)
    parser.add_argument("--systems", type=int, default=4)
    options = parser.parse_args()
    print(write_dataset(options.folder, tasks=options.tasks, systems=options.systems))


if __name__ == "__main__":
    main()

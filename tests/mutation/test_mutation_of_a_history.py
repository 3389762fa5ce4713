"""Mutants of a real history from lines to scores, the same as by the naive way of the paper (TEB-V13 to V19)."""

import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from naive_mutation import NaiveMutation, naive_fates

from testevo.analysis.statistics.results import TaskResult, task_results
from testevo.config.load import load_config
from testevo.config.model import Mutation
from testevo.execution.journal import Journal
from testevo.grading.grader import Grader
from testevo.grading.mutation.mutant_archive import read_archive, write_archive
from testevo.grading.mutation.mutant_runs import MutantRunner, TimeLimit
from testevo.grading.mutation.mutants import TaskMutants, make_mutants
from testevo.grading.mutation.mutation_lines import MutationLines
from testevo.grading.mutation.mutation_score import mutation_score
from testevo.grading.pit.pit_runs import PitRunner, pit_key
from testevo.grading.pit.second_opinion import SecondOpinions
from testevo.grading.result_store import ResultStore
from testevo.java.syntax import parse_java
from testevo.packaging.start_states.start_state import target_file
from testevo.records.evaluation.grading import Grade, GradedTask, MethodResult
from testevo.records.evaluation.predictions import Edit, encoded
from testevo.records.evaluation.second_opinions import OpinionUndefined, PitStatus
from testevo.records.evidence.mutants import Mutant, MutantFate
from testevo.records.labels import Dependency, LabelKind
from testevo.records.methods import ChangeKind, Span, TestKey
from testevo.records.repository import Repository, SourceKind
from testevo.records.tasks import Task, Track
from testevo.revisions.workspace import Workspace
from testevo.runtime.files.files import content_key
from testevo.runtime.files.jars import JARS
from testevo.runtime.files.project import PROJECT
from tests.made_tasks import made_evidence, made_task

pytestmark = [pytest.mark.maven, pytest.mark.xdist_group("mutation")]

CODE = "src/main/java/till/Till.java"
TEST = "src/test/java/till/TillTest.java"
OLD_CODE = """package till;

public class Till {
    public static int total(int price, int count) {
        return price * count;
    }
}
"""
NEW_CODE = """package till;

/** Café. */
public class Till {
    public static int total(int price, int count) {
        int sum = 0;
        for (int i = 0; i < count; i++) {
            sum += price;
        }
        return count > 9 ? sum - price : sum;
    }

    public static String receipt(int price) {
        Runnable nothing = new Runnable() {
            public void run() { }
        };
        return price + " € " + total(price, 1);
    }
}
"""
TEST_CODE = """package till;

import static org.junit.Assert.assertEquals;

import org.junit.Test;

public class TillTest {
    @Test
    public void sells() {
        assertEquals(6, Till.total(2, 3));
    }

    @Test
    public void givesOneAway() {
        assertEquals(18, Till.total(2, 10));
    }

    @Test
    public void prints() {
        assertEquals("2 € 2", Till.receipt(2));
    }
}
"""
NAMES = {"sells": ["total"], "givesOneAway": ["total"], "prints": ["total", "receipt"]}


@dataclass
class Mined:
    workspace: Workspace
    task: Task


@pytest.fixture(scope="module")
def mined(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Mined]:
    """A history of two commits and the one task in it; the production file has carriage returns."""
    if not (JARS / "worker.jar").is_file():
        pytest.skip("the Java side is not built; run `make setup`")
    folder = tmp_path_factory.mktemp("till")
    old, new = history(folder)
    cache = {"cache": str(PROJECT / "results" / "cache")}
    config = load_config({"build": cache, "results": str(folder), "execution": {"sandbox": "none"}})
    repository = Repository(name="worlds/till", source=SourceKind.WORLDS, address="till")
    with Workspace(repository, folder / "history.bundle", config, folder / "scratch") as workspace:
        yield Mined(workspace, task(old, new))


def history(folder: Path) -> tuple[str, str]:
    place = folder / "history"
    place.mkdir()
    git(place, "init", "--quiet", "--initial-branch", "main")
    pom = (PROJECT / "worlds" / "receipts" / "commits" / "01-initial" / "pom.xml").read_bytes()
    revisions = []
    for code in (OLD_CODE, NEW_CODE):
        files = {"pom.xml": pom, CODE: code.replace("\n", "\r\n").encode(), TEST: TEST_CODE.encode()}
        if code is OLD_CODE:
            del files[TEST]
        for path, content in files.items():
            (place / path).parent.mkdir(parents=True, exist_ok=True)
            (place / path).write_bytes(content)
        git(place, "add", "--all")
        git(place, "-c", "user.name=n", "-c", "user.email=e", "commit", "--quiet", "-m", "m")
        revisions.append(git(place, "rev-parse", "HEAD").strip())
    git(place, "bundle", "create", "--quiet", str(folder / "history.bundle"), "--all")
    return revisions[0], revisions[1]


def git(folder: Path, *words: str) -> str:
    return subprocess.run(["git", *words], cwd=folder, check=True, capture_output=True, text=True).stdout


def task(old: str, new: str) -> Task:
    methods = {method.key.name: method for method in parse_java(NEW_CODE.encode(), CODE).methods}
    tests = {method.key.name: method for method in parse_java(TEST_CODE.encode(), TEST).methods}
    dependencies = {
        name: Dependency(method=methods[name].key, kind=ChangeKind.MODIFIED, path=CODE, span=methods[name].span)
        for name in ("total", "receipt")
    }
    evidence = tuple(
        made_evidence(
            TestKey(module="", path=TEST, type_name="till.TillTest", name=name),
            change=ChangeKind.INSERTED,
            label=LabelKind.DISCRIMINATING,
            new_span=tests[name].span,
            dependencies=tuple(dependencies[one] for one in of_test),
        )
        for name, of_test in NAMES.items()
    )
    return made_task(
        evidence,
        task_id="worlds_till__t",
        track=Track.GENERATION,
        repository="worlds/till",
        old_revision=old,
        new_revision=new,
        test_file=TEST,
        dependencies=tuple(dependencies.values()),
    )


@pytest.fixture(scope="module")
def made(mined: Mined) -> TaskMutants:
    return make_mutants(mined.task, mined.workspace)


def test_nothing_is_dropped_silently(mined: Mined, made: TaskMutants) -> None:
    """emitted = count + compile_failed + redundant + capped_out, and the kill set is what is counted (TEB-V15, V16)."""
    assert not made.problems
    for evidence in mined.task.tests:
        (account,) = made.accounting[evidence.test]
        assert account.closes
        assert account.count == len(made.kill_sets[evidence.test]) == 10
        assert account.capped_out > 0
        assert account.compile_failed > 0
        kept = [mutant for mutant in made.mutants if mutant.mutant in made.kill_sets[evidence.test]]
        assert {mutant.first_line for mutant in kept} <= set(account.lines)
        assert account.equivalent == sum(mutant.equivalent for mutant in kept)
    lines = {test.name: account[0].lines for test, account in made.accounting.items()}
    assert lines["sells"] == (6, 7, 8, 9, 10, 11)
    assert lines["prints"] == (6, 7, 8, 9, 10, 11, 13, 14, 15, 16, 17), "git takes line 18 for the old end of `total`"


def test_the_same_task_has_the_same_mutants(mined: Mined, made: TaskMutants, tmp_path: Path) -> None:
    """Equal records and equal bytes of the archive (TEB-K09)."""
    again = make_mutants(mined.task, mined.workspace)
    assert again == made
    for name, found in (("one.zip", made), ("two.zip", again)):
        write_archive(tmp_path / name, found.classes)
    assert (tmp_path / "one.zip").read_bytes() == (tmp_path / "two.zip").read_bytes()
    assert read_archive(tmp_path / "one.zip", made.mutants) == made.classes


def test_a_larger_cap_keeps_the_mutants_of_a_smaller_one(mined: Mined, made: TaskMutants) -> None:
    more = make_mutants(mined.task, mined.workspace, Mutation(per_file=1000))
    for test, names in made.kill_sets.items():
        assert set(names) < set(more.kill_sets[test])
        assert more.accounting[test][0].capped_out == 0
        assert more.accounting[test][0].emitted == made.accounting[test][0].emitted
    by_name = {mutant.mutant: mutant for mutant in more.mutants}
    assert all(mutant.duplicate_of is None or mutant.duplicate_of in by_name for mutant in more.mutants)
    assert any(mutant.duplicate_of for mutant in more.mutants), "`>= 9` and `> 9 - 1` and the like"


def one_line_of(task: Task, line: int) -> Task:
    """The task with one test and one line to mutate, because the naive way takes a second for each mutant."""
    evidence = task.tests[1]
    focal = evidence.dependencies[0].model_copy(update={"span": Span(first_line=line, last_line=line)})
    return task.model_copy(update={"tests": (evidence.model_copy(update={"dependencies": (focal,)}),)})


def test_scores_are_those_of_the_naive_way(mined: Mined, tmp_path: Path) -> None:
    """Killed or not, mutant by mutant: shared JVM, fresh JVMs, and external javac with the console launcher."""
    workspace, rules = mined.workspace, mined.workspace.config.evaluation.mutation
    task = one_line_of(mined.task, 8)
    made = make_mutants(task, workspace)
    limit = TimeLimit(rules.factor, rules.extra_seconds, 60)
    (tmp_path / "naive").mkdir()
    naive = NaiveMutation(task, workspace, tmp_path / "naive", limit)
    lines = MutationLines(task, workspace, rules.lines)
    by_name = {mutant.mutant: mutant for mutant in made.mutants}
    tree = workspace.built(task.new_revision)
    for evidence in task.tests:
        mutants = [by_name[name] for name in made.kill_sets[evidence.test]]
        wanted = lines.of(evidence.dependencies)
        slow = naive_fates(
            naive, evidence.test, wanted, lines.sources, most=rules.per_file, seed=rules.seed, known={}, union=wanted
        )
        expected = {(path, one.line, one.mutated): killed for (path, one), killed in slow.items()}
        for mode in ("shared", "fresh"):
            runner = MutantRunner.of(
                workspace.config.model_copy(
                    update={
                        "evaluation": workspace.config.evaluation.model_copy(update={"mutation": Mutation(runner=mode)})
                    }
                ),
                tmp_path / "runs",
            )  # type: ignore[arg-type]
            runs = runner.run(tree, evidence.test, mutants, made.classes, None, 1.0)
            assert {place(by_name[run.mutant]): run.fate.killed for run in runs} == expected, mode
            score = mutation_score(runs, mutants)
            assert score.killed == sum(expected.values())
            assert score.closes
            assert any(run.fate is MutantFate.KILLED_BY_ASSERTION for run in runs)


def test_tests_whose_assertions_could_go_are_told_from_those_that_check(
    mined: Mined, made: TaskMutants, tmp_path: Path
) -> None:
    """One compares a value with itself, one is the control `hollow`, one is the developer's. On the track update they
    only have to pass."""
    task = mined.task.model_copy(update={"track": Track.UPDATE})
    hollow = TEST_CODE.replace("assertEquals(6,", "assertEquals(Till.total(2, 3),").replace(
        "assertEquals(18, Till.total(2, 10));", "Object same = new Object(); assertEquals(same, same);"
    )
    workspace = mined.workspace
    grader = Grader(workspace, ResultStore(tmp_path / "store"), mutants_of=lambda _: made)
    target = target_file(mined.task, workspace.git.read)
    found: dict[str, TaskResult] = {}
    for system, content in (("gold", TEST_CODE), ("copies", hollow)):
        edit = Edit(task_id=task.task_id, system=system, **encoded(content.encode()))
        (found[system],) = task_results([grader.grade(task, edit, target)])
    grader.close()
    assert found["gold"].unasserted == () and found["gold"].values["unasserted"] == 0
    assert [line.partition(":")[0] for line in found["copies"].unasserted] == [
        "TillTest#sells",
        "TillTest#givesOneAway",
    ]
    assert "none by an assertion" in found["copies"].unasserted[0]
    assert found["copies"].values["unasserted"] == pytest.approx(2 / 3)
    asserted = [found[system].values["mutation_score_asserted_pred"] for system in ("gold", "copies")]
    assert asserted[0] > asserted[1] > 0


def test_pit_as_a_second_opinion_says_what_is_known_by_hand(mined: Mined, tmp_path: Path) -> None:
    """`sells` asks for 3 things at 2 each; line 10 is `return count > 9 ? sum - price : sum`.

    `+=` as `-=` gives -6: killed. `>= 9` makes no difference to 3: survives. `sum + price` is not reached. No mutation
    of the constructor or of `receipt`, which PIT makes too, is on a line that the kill set of `sells` may change.
    """
    task = mined.task
    tree = mined.workspace.built(task.new_revision)
    sells = task.tests[0]
    lines = MutationLines(task, mined.workspace, "changed").of(sells.dependencies)
    runner = PitRunner(mined.workspace.config, tmp_path / "pit")
    opinion = runner.run(tree, sells.test, sells.dependencies, lines)
    assert opinion.undefined is None
    found = {(one.line, one.mutator): one.status for one in opinion.mutations}
    assert found[8, "MathMutator"] is PitStatus.KILLED
    assert found[10, "ConditionalsBoundaryMutator"] is PitStatus.SURVIVED
    assert found[10, "MathMutator"] is PitStatus.NO_COVERAGE
    assert {one.method for one in opinion.mutations} == {"total"}
    assert {one.path for one in opinion.mutations} == {CODE}
    assert opinion.score == sum(status is PitStatus.KILLED for status in found.values()) / len(found)

    absent = sells.test.model_copy(update={"name": "doesNotExist"})
    assert runner.run(tree, absent, sells.dependencies, lines).undefined is OpinionUndefined.NO_TEST
    assert runner.run(tree, sells.test, sells.dependencies, {}).undefined is OpinionUndefined.NO_LINES
    assert not list((tmp_path / "pit").glob("program-*")), "nothing of a run is left"


def test_pit_asks_nothing_of_a_test_that_fails(mined: Mined, tmp_path: Path) -> None:
    """A test that is red before anything is mutated kills nothing (TEB-E11)."""
    task = mined.task
    wrong = TEST_CODE.replace("assertEquals(6,", "assertEquals(7,").encode()
    tree = mined.workspace.engine.build_variant(mined.workspace.built(task.new_revision), {TEST: wrong}).tree
    assert tree is not None
    lines = MutationLines(task, mined.workspace, "changed").of(task.tests[0].dependencies)
    opinion = PitRunner(mined.workspace.config, tmp_path).run(
        tree, task.tests[0].test, task.tests[0].dependencies, lines
    )
    assert (opinion.undefined, opinion.score) == (OpinionUndefined.NOT_GREEN, None)


def test_only_passing_tests_are_asked_about_and_each_grade_once(mined: Mined, tmp_path: Path) -> None:
    """The opinion of an equal grade comes from the journal: no PIT is there any more when it is asked again."""
    task, gold = mined.task, TEST_CODE.encode()
    grades = [Grade.SUCCESS, Grade.EXEC_FAIL, Grade.REDUNDANT]
    methods = tuple(
        MethodResult(test=evidence.test, grade=grade, new_run=None)
        for evidence, grade in zip(task.tests, grades, strict=True)
    )
    graded = GradedTask(
        system="gold",
        task_id=task.task_id,
        track=task.track,
        repository=task.repository,
        new_time=2,
        key="k",
        old_revision=task.old_revision,
        new_revision=task.new_revision,
        edit="e",
        methods=methods,
    )
    edit = Edit(task_id=task.task_id, system="gold", **encoded(gold))
    target = target_file(task, mined.workspace.git.read)
    with Journal(tmp_path / "journal.jsonl") as journal:
        asked = SecondOpinions(mined.workspace, tmp_path / "pit", journal)
        journal.put(content_key("second opinion", pit_key(), "k"), {"opinions": "in the form of another version"})
        opinion = asked.ask(task, edit, target, graded)
        assert len(journal) == 1
        asked._runner = None  # type: ignore[assignment]
        assert asked.ask(task, edit, target, graded) == opinion
    assert [one.test for one in opinion.methods] == [evidence.test for evidence in task.tests]
    assert opinion.methods[1].undefined is OpinionUndefined.NOT_PASSED
    first, _, last = opinion.methods
    assert {one.method for one in first.mutations} == {"total"}
    assert {one.method for one in last.mutations} == {"total", "receipt"}
    assert first.score is not None and last.score is not None


def place(mutant: Mutant) -> tuple[str, int, str]:
    return mutant.path, mutant.first_line, mutant.mutated

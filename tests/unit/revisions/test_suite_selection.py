"""Which test classes run and which reuse verdicts ("Test selection")."""

import random
from collections.abc import Callable, Mapping, Sequence

import pytest

from testevo.config.model import ToleratedTest
from testevo.execution.runner import Vanished
from testevo.execution.verdicts.suites import judge_suite
from testevo.records.methods import TestKey
from testevo.records.verdicts import Outcome, SuiteOutcome, SuiteTest, SuiteVerdict
from testevo.revisions.suites.suite_selection import CommitSuite, SuiteJob, SuiteJobResult, SuitePlan, TestClass

PASSED, FAILED = Outcome.PASSED, Outcome.ASSERTION_FAILED
OutcomeOf = Callable[[CommitSuite, str, frozenset[str]], Outcome]
"""How the one test of a class ends at a revision, in a JVM that runs these classes."""


def commit(revision: str, inputs: Mapping[str, str] | None, classes: Mapping[str, str] | None = None) -> CommitSuite:
    """A revision with one module, its test classes given with their inputs."""
    by_module = None if inputs is None else {"": inputs}
    return CommitSuite(repository="owner/project", revision=revision, inputs=by_module, classes=classes or {})


def entry(name: str, outcome: Outcome = PASSED) -> SuiteTest:
    return SuiteTest(test=TestKey(module="", path=f"{name}.java", type_name=name, name="test"), outcome=outcome)


class Mining:
    """Does the jobs of a plan as `outcome` says, until there are none.

    Args:
        suites: by revision, all classes that a whole run has; those of the inputs when not given.
        dynamically_loaded: by revision, classes that every run there loads by reflection.
    """

    def __init__(
        self,
        commits: Sequence[CommitSuite],
        outcome: OutcomeOf = lambda *_: PASSED,
        *,
        tolerated: Sequence[ToleratedTest] = (),
        dynamically_loaded: Mapping[str, tuple[str, ...]] | None = None,
        vanishes: Callable[[SuiteJob], bool] = lambda _: False,
        strays: Mapping[str, str] | None = None,
        watched: bool = True,
    ) -> None:
        self._by_revision = {one.revision: one for one in commits}
        self._outcome, self._dynamically_loaded, self._vanishes = outcome, dynamically_loaded or {}, vanishes
        self._strays, self._watched, self._tolerated = strays or {}, watched, tolerated
        self.jobs: list[SuiteJob] = []
        plan = SuitePlan(commits, tolerated)
        while jobs := plan.next_jobs():
            self.jobs += jobs
            plan = plan.after([self.run(job) for job in jobs])
        self.verdicts = {verdict.revision: verdict for verdict in plan.verdicts()}

    def run(self, job: SuiteJob) -> SuiteJobResult:
        return SuiteJobResult(
            job=job,
            verdict=self.verdict(job),
            dynamically_loaded={"": self._dynamically_loaded.get(job.revision, ())},
            watched=self._watched,
        )

    def verdict(self, job: SuiteJob) -> SuiteVerdict:
        here = self._by_revision[job.revision]
        all_names = (here.inputs or {"": {"T": ""}})[""]
        names = sorted(all_names if job.classes is None else (one.name for one in job.classes))
        tests = [entry(name, self._outcome(here, name, frozenset(names))) for name in names]
        tests += [entry(stray) for name, stray in self._strays.items() if name in names and stray not in names]
        vanished = [Vanished("", False, "the JVM ended")] if self._vanishes(job) else []
        run = judge_suite(tests, vanished, self._tolerated)
        return SuiteVerdict(
            repository="owner/project", revision=job.revision, outcome=run.outcome, reason=run.reason, tests=run.tests
        )

    def alone(self) -> dict[str, SuiteVerdict]:
        """The verdicts when every suite is run whole."""
        return {revision: self.verdict(SuiteJob(revision=revision, classes=None)) for revision in self._by_revision}

    def ran(self, revision: str) -> list[list[str] | None]:
        """The classes of each job of a revision, in order; None for a whole run."""
        return [
            None if job.classes is None else [one.name for one in job.classes]
            for job in self.jobs
            if job.revision == revision
        ]

    def reused(self, revision: str) -> dict[str, str | None]:
        return {test.test.type_name: test.reused_from for test in self.verdicts[revision].tests}


def without_sources(verdicts: Mapping[str, SuiteVerdict]) -> dict[str, SuiteVerdict]:
    """Verdicts as they are without selection."""
    return {
        revision: verdict.model_copy(
            update={"tests": tuple(test.model_copy(update={"reused_from": None}) for test in verdict.tests)}
        )
        for revision, verdict in verdicts.items()
    }


THREE = [commit("c3", {"A": "1", "B": "1"}), commit("c2", {"A": "1", "B": "2"}), commit("c1", {"A": "1", "B": "1"})]


def test_the_first_revision_with_some_inputs_runs_them_and_the_others_reuse_its_verdict() -> None:
    mining = Mining(THREE)
    assert mining.ran("c3") == [["A", "B"]]
    assert mining.ran("c2") == [["B"]]
    assert mining.ran("c1") == []
    assert mining.reused("c1") == {"A": "c3", "B": "c3"}
    assert mining.reused("c2") == {"A": "c3", "B": None}
    assert {verdict.outcome for verdict in mining.verdicts.values()} == {SuiteOutcome.GREEN}


def test_jobs_of_one_round_do_not_depend_on_each_other() -> None:
    jobs = SuitePlan(THREE).next_jobs()
    results = [Mining(THREE).run(job) for job in jobs]
    assert SuitePlan(THREE, (), results).verdicts() == SuitePlan(THREE, (), results[::-1]).verdicts()


@pytest.mark.parametrize("outcome", [Outcome.SKIPPED, Outcome.ABORTED])
def test_skipped_and_aborted_are_reused_like_passed(outcome: Outcome) -> None:
    mining = Mining(THREE, lambda _, name, __: outcome if name == "A" else PASSED)
    assert mining.reused("c1") == {"A": "c3", "B": "c3"}


def test_a_class_that_ended_in_two_ways_with_equal_inputs_is_run_at_every_revision() -> None:
    """A flaky failure must not spread, nor must the passes beside it."""
    flaky = Mining(THREE, lambda here, name, names: FAILED if here.revision == "c2" and names == {"B"} else PASSED)
    assert flaky.ran("c2") == [["B"], None]
    assert flaky.ran("c1") == [["B"]]
    assert flaky.reused("c1") == {"A": "c3", "B": None}


def test_a_failure_is_not_reused_and_passes_with_other_inputs_are() -> None:
    commits = [*THREE, commit("c0", {"A": "1", "B": "2"})]
    mining = Mining(commits, lambda here, name, _: FAILED if here.inputs and here.inputs[""][name] == "2" else PASSED)
    assert mining.ran("c2") == [["B"], None]
    assert mining.ran("c0") == [None]
    assert mining.reused("c1") == {"A": "c3", "B": "c3"}
    assert without_sources(mining.verdicts) == mining.alone()


def test_a_red_suite_is_a_whole_run_and_what_failed_in_it_is_no_source() -> None:
    mining = Mining(THREE, lambda here, name, _: FAILED if here.inputs and here.inputs[""][name] == "2" else PASSED)
    assert mining.ran("c2")[-1] is None
    assert mining.verdicts["c2"].outcome is SuiteOutcome.RED
    assert mining.reused("c2") == {"A": None, "B": None}


def test_what_failed_in_a_whole_run_makes_suites_with_equal_inputs_whole_at_once() -> None:
    """So a class that fails only after another one is found red everywhere, as without selection."""
    victim = Mining(THREE, lambda _, name, names: FAILED if name == "B" and "A" in names else PASSED)
    assert victim.ran("c1") == [None]
    assert victim.verdicts["c1"].outcome is SuiteOutcome.RED


def test_one_revision_tells_whether_a_failure_of_a_whole_suite_comes_again() -> None:
    """A failure by chance in the first suite does not make all others whole."""
    many = [commit(f"c{number}", {"A": "1", "B": "1"}) for number in range(9, 0, -1)]
    by_chance = Mining(many, lambda here, name, _: FAILED if (here.revision, name) == ("c9", "B") else PASSED)
    assert [by_chance.ran(f"c{number}") for number in (9, 8, 7)] == [[["A", "B"]], [None], [["B"]]]
    always = Mining(many, lambda _, name, __: FAILED if name == "B" else PASSED)
    assert [always.ran(f"c{number}") for number in (9, 8, 7)] == [[["A", "B"]], [None], [None]]


def test_a_class_that_passes_only_after_another_one_is_judged_in_the_whole_suite() -> None:
    dependent = Mining(THREE, lambda _, name, names: FAILED if name == "B" and "A" not in names else PASSED)
    assert dependent.ran("c2") == [["B"], None]
    assert without_sources(dependent.verdicts) == dependent.alone()


def test_a_tolerated_test_is_run_at_every_revision() -> None:
    mining = Mining(THREE, tolerated=[ToleratedTest(test="A#test", reason="expects another JDK")])
    assert [mining.ran(revision) for revision in ("c3", "c2", "c1")] == [[["A", "B"]], [["A", "B"]], [["A"]]]


def test_a_tolerated_failure_does_not_make_the_whole_suite_run() -> None:
    tolerated = [ToleratedTest(test="A#test", reason="expects another JDK")]
    mining = Mining(THREE, lambda _, name, __: FAILED if name == "A" else PASSED, tolerated=tolerated)
    assert mining.ran("c1") == [["A"]]
    assert mining.verdicts["c1"].outcome is SuiteOutcome.TOLERATED


def test_a_crashed_suite_is_no_source_and_is_run_whole() -> None:
    mining = Mining(THREE, vanishes=lambda job: job.revision == "c3")
    assert mining.ran("c3") == [["A", "B"]]
    assert mining.verdicts["c3"].outcome is SuiteOutcome.CRASHED
    assert mining.reused("c1") == {"A": None, "B": None}
    partial = Mining(THREE, vanishes=lambda job: job.revision == "c2")
    assert partial.ran("c2") == [["B"], None]


def test_a_class_found_by_reflection_is_an_input_of_all_test_classes() -> None:
    """The rule for what the closure of names cannot see."""
    versions = {"c4": "1", "c3": "1", "c2": "2", "c1": "2"}
    commits = [commit(name, {"A": "1", "B": "1"}, {"a.Hidden": version}) for name, version in versions.items()]
    mining = Mining(commits, dynamically_loaded={"c4": ("a.Hidden",)})
    assert [mining.ran(name) for name in versions] == [[["A", "B"]], [], [["A", "B"]], []]
    assert mining.reused("c3") == {"A": "c4", "B": "c4"}
    assert mining.reused("c1") == {"A": "c2", "B": "c2"}


def test_a_class_found_by_reflection_later_counts_for_earlier_runs_too() -> None:
    commits = [
        commit("c3", {"A": "1"}, {"a.Hidden": "1"}),
        commit("c2", {"A": "2"}, {"a.Hidden": "2"}),
        commit("c1", {"A": "1"}, {"a.Hidden": "3"}),
    ]
    mining = Mining(commits, dynamically_loaded={"c2": ("a.Hidden",)})
    assert mining.ran("c1") == [["A"]]


def test_tests_of_classes_that_nobody_asked_for_make_a_run_no_source() -> None:
    """A suite of classes runs others: nobody can tell which of its parts a change concerns."""
    mining = Mining(THREE, strays={"A": "Other"})
    assert mining.ran("c1") == [["A", "B"]]
    assert all(test.reused_from is None for test in mining.verdicts["c1"].tests)
    assert without_sources(mining.verdicts) == mining.alone()


def test_a_suite_of_classes_that_are_in_the_suite_by_themselves_hinders_nobody() -> None:
    """Its runs of the others change nothing; a failure in them does."""
    inputs = {"c3": {"All": "1", "B": "1"}, "c2": {"All": "2", "B": "1"}, "c1": {"All": "1", "B": "1"}}
    commits = [commit(revision, of) for revision, of in inputs.items()]
    mining = Mining(commits, strays={"All": "B"})
    assert [mining.ran(revision) for revision in ("c3", "c2", "c1")] == [[["All", "B"]], [["All"]], []]
    assert mining.reused("c2") == {"All": None, "B": "c3"}


def test_a_run_that_does_not_tell_what_it_loaded_is_no_source() -> None:
    mining = Mining(THREE, watched=False)
    assert [mining.ran(name) for name in ("c3", "c2", "c1")] == [[["A", "B"]], [["B"], ["A"]], [["A", "B"]]]


def test_without_inputs_every_suite_is_run_whole() -> None:
    """Selection off, or a build that only Maven can do."""
    mining = Mining([commit("c2", None), commit("c1", None)])
    assert [mining.ran("c2"), mining.ran("c1")] == [[None], [None]]


def test_a_module_is_never_a_source_for_another_one() -> None:
    inputs = {"one": {"A": "1"}, "two": {"A": "1"}}
    plan = SuitePlan([CommitSuite(repository="owner/project", revision="c1", inputs=inputs)])
    assert plan.next_jobs() == [
        SuiteJob(revision="c1", classes=(TestClass(module="one", name="A"), TestClass(module="two", name="A")))
    ]


def test_an_empty_suite_needs_no_run() -> None:
    mining = Mining([commit("c1", {})])
    assert mining.jobs == []
    assert mining.verdicts["c1"].outcome is SuiteOutcome.NO_TESTS


@pytest.mark.parametrize("seed", range(60))
def test_selection_changes_no_verdict_of_tests_that_depend_on_their_inputs_alone(seed: int) -> None:
    """Random histories with failing, skipped and reflective classes: equal verdicts, and no class run twice for one."""
    chance = random.Random(seed)
    names = ["A", "B", "C", "D"][: chance.randint(1, 4)]
    hidden = {f"c{number}": str(chance.randint(1, 2)) for number in range(12)}
    commits = [
        commit(revision, {name: str(chance.randint(1, 3)) for name in names}, {"a.Hidden": version})
        for revision, version in hidden.items()
    ]
    reflective = chance.random() < 0.5
    endings = chance.choices([PASSED, Outcome.SKIPPED, FAILED], weights=[8, 1, 1], k=8 * len(names))

    def outcome(here: CommitSuite, name: str, _: frozenset[str]) -> Outcome:
        assert here.inputs is not None
        version = int(here.classes["a.Hidden"]) if reflective else 1
        return endings[names.index(name) * 8 + int(here.inputs[""][name]) * 2 + version - 1]

    mining = Mining(commits, outcome, dynamically_loaded=dict.fromkeys(hidden, ("a.Hidden",)) if reflective else {})
    assert without_sources(mining.verdicts) == mining.alone()
    for revision in hidden:
        parts = [name for names_of in mining.ran(revision) for name in names_of or ()]
        assert len(parts) == len(set(parts))

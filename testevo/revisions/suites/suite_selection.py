"""Select the test classes to run at each revision, and whose verdicts the others reuse ("Test selection").

Pure functions from the inputs of every test class and the runs made so far to the next runs, until there are none:

1. Test classes with equal inputs are one thing: the first revision in walk order runs it, the others reuse it.
2. Classes that a run loaded and that no class run names (loaded by reflection) become inputs of all
   test classes of their module, at every revision.
3. Only passed, skipped and aborted is reused. A class that ended in two ways with equal inputs anywhere, or that has a
   tolerated test, is unstable and run at every revision.
4. A suite that is not green after that, or has a class that fails with equal inputs in other whole suites, is run
   whole, as without selection: every verdict that costs a revision its place comes from a whole run.

What is decided depends on results alone, not on when and where they were made.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from testevo.config.model import ToleratedTest
from testevo.execution.verdicts.suites import HARMLESS, has_tolerated_tests, is_tolerated, judge_suite
from testevo.records.base import Part
from testevo.records.methods import TestKey
from testevo.records.verdicts import Outcome, SuiteOutcome, SuiteTest, SuiteVerdict
from testevo.runtime.files.files import content_key

_FINE = (SuiteOutcome.GREEN, SuiteOutcome.TOLERATED, SuiteOutcome.NO_TESTS)
_UNFINISHED = (SuiteOutcome.CRASHED, SuiteOutcome.TIMED_OUT)


class TestClass(Part):
    """A class of the suite of a module."""

    __test__ = False

    module: str
    name: str

    @property
    def place(self) -> tuple[str, str]:
        return self.module, self.name

    def has(self, test: SuiteTest) -> bool:
        """Whether a test ran in this class or in a member class of it."""
        type_name = test.test.type_name
        inside = type_name == self.name or type_name.startswith(f"{self.name}$")
        return test.test.module == self.module and inside


class CommitSuite(Part):
    """The suite of a revision before it is run."""

    repository: str
    revision: str
    inputs: Mapping[str, Mapping[str, str]] | None
    """By module and class, what decides the outcome of a test class; None: only a whole run will do."""
    classes: Mapping[str, str] = {}
    """Digest of every project class by binary name."""

    def test_classes(self) -> list[TestClass]:
        """All classes of all modules, sorted."""
        found = (TestClass(module=module, name=name) for module, names in (self.inputs or {}).items() for name in names)
        return sorted(found, key=lambda one: one.place)


class SuiteJob(Part):
    """Work that depends on no other job of its round."""

    revision: str
    classes: tuple[TestClass, ...] | None
    """None: the whole suite, as without selection."""

    def by_module(self) -> dict[str, list[str]]:
        chosen: dict[str, list[str]] = {}
        for one in self.classes or ():
            chosen.setdefault(one.module, []).append(one.name)
        return chosen


class SuiteJobResult(Part):
    """The findings of a job."""

    job: SuiteJob
    verdict: SuiteVerdict
    """Of the tests that ran."""
    dynamically_loaded: Mapping[str, tuple[str, ...]] = {}
    """By module: project classes that were loaded although no class that ran can reach them by name."""
    watched: bool = False
    """All JVMs told what they loaded, and nothing ran that was not asked for."""


@dataclass(frozen=True)
class SuitePlan:
    """The state of the work after some jobs. It never changes: what follows from it is worked out once.

    Args:
        commits: in the order of the walk.
        tolerated: tests of the repository that may be red.
        results: of all jobs so far.
    """

    commits: Sequence[CommitSuite]
    tolerated: Sequence[ToleratedTest] = ()
    results: Sequence[SuiteJobResult] = ()
    _keys: dict[tuple[str, TestClass], str] = field(default_factory=dict, init=False, repr=False, compare=False)

    def next_jobs(self) -> list[SuiteJob]:
        """The jobs of the next round; none when every commit has its verdict."""
        return list(self._next_jobs())

    def _next_jobs(self) -> Iterator[SuiteJob]:
        claimed: set[str] = set()
        confirming: set[str] = set()
        for commit in self.commits:
            if commit.revision in self._complete:
                continue
            doubtful = self._failed_once(commit)
            if doubtful & confirming:
                continue
            confirming |= doubtful
            if doubtful or self._needs_whole_run(commit):
                yield SuiteJob(revision=commit.revision, classes=None)
                continue
            missing = [one for one in commit.test_classes() if self._must_run(commit, one, claimed)]
            claimed.update(self._key(commit, one) for one in missing)
            if missing:
                yield SuiteJob(revision=commit.revision, classes=tuple(missing))

    def after(self, results: Sequence[SuiteJobResult]) -> "SuitePlan":
        """The state after a round."""
        return replace(self, results=[*self.results, *results])

    def verdicts(self) -> list[SuiteVerdict]:
        """The verdict of each commit, in order, when there are no more jobs."""
        return [self._verdict(commit) for commit in self.commits]

    def _verdict(self, commit: CommitSuite) -> SuiteVerdict:
        complete = self._complete.get(commit.revision)
        if complete is not None:
            return complete.verdict
        found = [test for one in commit.test_classes() for test in self._tests(commit, one)]
        # A member class may be in the suite by itself and with its outer class: what ran here comes last and counts.
        tests = {test.test: test for test in sorted(found, key=lambda test: test.reused_from is None)}
        run = judge_suite([*tests.values()], (), self.tolerated)
        return SuiteVerdict(
            repository=commit.repository,
            revision=commit.revision,
            outcome=run.outcome,
            reason=run.reason,
            tests=run.tests,
        )

    def _tests(self, commit: CommitSuite, one: TestClass) -> list[SuiteTest]:
        ran = self._ran.get((commit.revision, one))
        if ran is not None:
            return self._tests_of(one, ran)
        source = self._sources[self._key(commit, one)]
        reused = {"reused_from": source.job.revision}
        return [test.model_copy(update=reused) for test in self._tests_of(one, source)]

    def _must_run(self, commit: CommitSuite, one: TestClass, claimed: Iterable[str]) -> bool:
        if (commit.revision, one) in self._ran:
            return False
        if one in self._unstable:
            return True
        key = self._key(commit, one)
        if key in self._sources or key in self._awaited:
            return False
        return key in self._tried or key not in claimed

    def _needs_whole_run(self, commit: CommitSuite) -> bool:
        if commit.inputs is None:
            return True
        own = [result for result in self.results if result.job.revision == commit.revision]
        if any(result.verdict.outcome not in _FINE or self._strays(result) for result in own):
            return True
        return any(self._failures[key] > 1 for key in self._stable_keys(commit))

    def _failed_once(self, commit: CommitSuite) -> set[str]:
        """Inputs with which a test class failed in one other whole suite: one commit tells whether it does so again."""
        return {key for key in self._stable_keys(commit) if self._failures[key] == 1}

    def _stable_keys(self, commit: CommitSuite) -> list[str]:
        return [self._key(commit, one) for one in commit.test_classes() if one not in self._unstable]

    def _key(self, commit: CommitSuite, one: TestClass) -> str:
        """The inputs that decide the outcome of a test class, as far as they are known."""
        known = self._keys.get((commit.revision, one))
        if known is None:
            known = self._keys[commit.revision, one] = self._made_key(commit, one)
        return known

    def _made_key(self, commit: CommitSuite, one: TestClass) -> str:
        assert commit.inputs is not None
        dynamically_loaded = sorted(self._dynamically_loaded.get(one.module, ()))
        digests = (part for name in dynamically_loaded for part in (name, commit.classes.get(name, "")))
        return content_key(one.module, one.name, commit.inputs[one.module][one.name], *digests)

    @cached_property
    def _of_revision(self) -> dict[str, CommitSuite]:
        return {commit.revision: commit for commit in self.commits}

    @cached_property
    def _dynamically_loaded(self) -> dict[str, set[str]]:
        found: dict[str, set[str]] = {}
        for result in self.results:
            for module, names in result.dynamically_loaded.items():
                found.setdefault(module, set()).update(names)
        return found

    @cached_property
    def _complete(self) -> dict[str, SuiteJobResult]:
        """Results that cover all of a revision, by revision; a whole run comes before the sum of its parts."""
        complete: dict[str, SuiteJobResult] = {}
        for result in self.results:
            commit = self._of_revision[result.job.revision]
            if result.job.classes is None:
                complete[commit.revision] = result
            elif set(result.job.classes) == set(commit.test_classes()):
                complete.setdefault(commit.revision, result)
        return complete

    @cached_property
    def _ran(self) -> dict[tuple[str, TestClass], SuiteJobResult]:
        """Where a revision itself ran a test class, whole runs aside."""
        return {(result.job.revision, one): result for result in self.results for one in result.job.classes or ()}

    @cached_property
    def _unstable(self) -> frozenset[TestClass]:
        """Test classes with a test that ended in two ways with equal inputs, or that may end as it likes."""
        known = {one for commit in self.commits for one in commit.test_classes()}
        unstable = {one for one in known if has_tolerated_tests(one.name, self.tolerated)}
        outcomes: dict[tuple[str, TestKey], Outcome] = {}
        for result in self.results:
            for one, key in self._keys_of(result):
                for test in self._tests_of(one, result):
                    if outcomes.setdefault((key, test.test), test.outcome) is not test.outcome:
                        unstable.add(one)
        return frozenset(unstable)

    def _keys_of(self, result: SuiteJobResult) -> list[tuple[TestClass, str]]:
        """The test classes that a job ran, each with its inputs."""
        commit = self._of_revision[result.job.revision]
        classes = commit.test_classes() if result.job.classes is None else result.job.classes
        return [(one, self._key(commit, one)) for one in classes]

    @cached_property
    def _tried(self) -> frozenset[str]:
        """Test classes that ran already: one that is not a source needs no waiting for."""
        return frozenset(key for result in self.results for _, key in self._keys_of(result))

    @cached_property
    def _sources(self) -> dict[str, SuiteJobResult]:
        """The first run in walk order of each test class with given inputs whose verdict others may take over."""
        order = {commit.revision: number for number, commit in enumerate(self.commits)}
        sources: dict[str, SuiteJobResult] = {}
        for result in sorted(self.results, key=lambda result: order[result.job.revision]):
            if self._may_be_source(result):
                for one, key in self._keys_of(result):
                    harmless = all(test.outcome in HARMLESS for test in self._tests_of(one, result))
                    if harmless and one not in self._unstable:
                        sources.setdefault(key, result)
        return sources

    def _tests_of(self, one: TestClass, result: SuiteJobResult) -> list[SuiteTest]:
        """The tests of a result that ran in a test class."""
        tests = self._by_top_level[id(result)].get((one.module, _top_level(one.name)), ())
        return [test for test in tests if one.has(test)]

    @cached_property
    def _by_top_level(self) -> dict[int, dict[tuple[str, str], list[SuiteTest]]]:
        """The tests of each result by module and top-level class."""
        found: dict[int, dict[tuple[str, str], list[SuiteTest]]] = {}
        for result in self.results:
            tests = found.setdefault(id(result), {})
            for test in result.verdict.tests:
                tests.setdefault((test.test.module, _top_level(test.test.type_name)), []).append(test)
        return found

    def _strays(self, result: SuiteJobResult) -> bool:
        """Whether a part ran tests of classes that are not in the suite themselves: nobody can tell whose they are."""
        known = self._of_revision[result.job.revision].test_classes()
        ran = set() if result.job.classes is None else self._by_top_level[id(result)].keys()
        return not ran <= {(one.module, _top_level(one.name)) for one in known}

    def _may_be_source(self, result: SuiteJobResult) -> bool:
        """Whole runs are none: they were needed because something is wrong."""
        partial = result.job.classes is not None
        return partial and result.watched and result.verdict.outcome not in _UNFINISHED and not self._strays(result)

    @cached_property
    def _failures(self) -> Counter[str]:
        """In how many whole suites a test class failed with given inputs, tolerated failures aside."""
        return Counter(key for result in self._complete.values() for key in self._red_keys(result))

    @cached_property
    def _awaited(self) -> frozenset[str]:
        """Inputs with which a test class failed in a part of a suite that is going to be run whole."""
        parts = [result for result in self.results if result.job.revision not in self._complete]
        return frozenset(key for result in parts for key in self._red_keys(result))

    def _red_keys(self, result: SuiteJobResult) -> list[str]:
        """Inputs of the test classes that failed in a run, tolerated failures aside."""
        return [key for one, key in self._keys_of(result) if any(map(self._is_red, self._tests_of(one, result)))]

    def _is_red(self, test: SuiteTest) -> bool:
        return test.outcome not in HARMLESS and not is_tolerated(test.test, self.tolerated)


def _top_level(type_name: str) -> str:
    return type_name.split("$", 1)[0]

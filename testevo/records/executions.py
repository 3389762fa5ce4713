"""`Execution`: one run of a test method in one combination of old/new test and old/new code (TEB-X03, X04)."""

from testevo.records.base import DocumentedEnum, Record
from testevo.records.evidence.stability import Axis
from testevo.records.methods import TestKey
from testevo.records.verdicts import Diagnostic, Outcome


class Combination(DocumentedEnum):
    """The combination of old or new test with old or new code."""

    OLD_TEST_OLD_CODE = "old_test_old_code", "the old revision as it is"
    NEW_TEST_NEW_CODE = "new_test_new_code", "the new revision as it is"
    OLD_TEST_NEW_CODE = "old_test_new_code", "the old test put into the new revision"
    NEW_TEST_OLD_CODE = "new_test_old_code", "the new test put into the old revision"


class Execution(Record):
    """A run and its repeats. `outcomes` holds one entry per run; they agree unless the test is unstable."""

    repository: str
    old_revision: str
    new_revision: str
    test: TestKey
    combination: Combination
    swap: str
    """`none`, `file` or `method_splice`."""
    old_tree: str
    """`clean` or `keep_added` for runs on old code, '' otherwise."""
    outcomes: tuple[Outcome, ...]
    varied: tuple[Axis, ...] = ()
    """What all runs but the first varied."""
    exception: str | None = None
    """Class of the exception of the first failing run."""
    message: str | None = None
    """Its message, cut to 500 characters."""
    diagnostics: tuple[Diagnostic, ...] = ()
    output_lost: bool = False
    """A run left `System.out` null: a harness that prints its results there loses them."""
    console_failed: bool = False
    """The console launcher of JUnit does not pass it, where it was asked (`filters.console_launcher`)."""
    logs: str | None = None
    """Folder with stdout, stderr and JUnit XML of each repeat, in `logs.zip` beside the record's file."""

    @property
    def outcome(self) -> Outcome:
        """The outcome of the first run."""
        return self.outcomes[0]

    @property
    def stable(self) -> bool | None:
        """Whether all runs agree; None when there was one run of something that could vary."""
        if len(self.outcomes) == 1 and not self.outcome.compile_error:
            return None
        return len(set(self.outcomes)) == 1

    def sort_key(self) -> tuple[object, ...]:
        return (self.repository, self.new_revision, self.old_revision, str(self.test), self.combination)

"""The filters before execution (TEB-X09, X10, X12)."""

from typing import Literal

import pytest
from label_factories import (
    CODE_PATH,
    RELEASED,
    STRICT,
    TEST_PATH,
    a_test,
    call_map,
    callee,
    change_of_test,
    code_change,
    facts,
    method,
    run,
)

from testevo.config.rules import FilterRules
from testevo.labels.filters import (
    changed_helpers,
    is_wanted_kind,
    read_declaration,
    refactored_declaration,
    refactoring_reason,
)
from testevo.labels.judge import judge
from testevo.records.executions import Combination
from testevo.records.labels import Dependency, DropReason, Label, Purity, Refactoring, RefactoringVerdict
from testevo.records.methods import ChangeKind, MethodKey, TestKind
from testevo.records.verdicts import Outcome
from tests.unit.packaging.task_factories import dependency

HELPER = MethodKey(type_name="p.ATest", name="helper")


def test_only_plain_tests_of_the_top_level_class_count_where_the_rules_say_so() -> None:
    assert is_wanted_kind(TestKind.JUNIT4, True, RELEASED.changes)
    assert not is_wanted_kind(TestKind.JUNIT4, False, RELEASED.changes)
    assert not is_wanted_kind(TestKind.PARAMETERISED, True, RELEASED.changes)
    assert is_wanted_kind(TestKind.NESTED, False, STRICT.changes)


@pytest.mark.parametrize(
    ("kind", "byte_code_differs", "dropped"),
    [
        (ChangeKind.INSERTED, None, True),
        (ChangeKind.MODIFIED, True, True),
        (ChangeKind.UNCHANGED, True, True),
        (ChangeKind.UNCHANGED, False, False),
        (ChangeKind.MODIFIED, None, True),
    ],
)
def test_a_called_helper_that_is_new_or_differs_in_byte_code_drops_the_test(
    kind: ChangeKind, byte_code_differs: bool | None, dropped: bool
) -> None:
    """TEB-X09; for helpers byte code alone decides."""
    calls = call_map("new", helpers=(callee(HELPER),))
    change = change_of_test("helper", kind, test_kind=None, byte_code_differs=byte_code_differs)
    found = changed_helpers(a_test(), calls, [change], (), (), FilterRules(helpers="called"))
    assert found == (("p.ATest#helper()",) if dropped else ())


@pytest.mark.parametrize(("switch", "dropped"), [("called", False), ("reached", True)])
def test_a_helper_that_only_lambdas_of_the_test_call_is_reached_and_not_called(
    switch: Literal["called", "reached"], dropped: bool
) -> None:
    """Nor do lambdas call dependencies under the rules of the released data."""
    calls = call_map("new", helpers=(callee(HELPER, through_lambda=True),))
    found = changed_helpers(
        a_test(), calls, [change_of_test("helper", test_kind=None)], (), (), FilterRules(helpers=switch)
    )
    assert found == (("p.ATest#helper()",) if dropped else ())


def test_helpers_that_are_not_called_and_production_methods_do_not_matter() -> None:
    calls = call_map("new", helpers=(callee(method("add")),))
    changes = [change_of_test("helper", test_kind=None), code_change(method("add"))]
    assert changed_helpers(a_test(), calls, changes, (), (), FilterRules(helpers="called")) == ()
    assert changed_helpers(a_test(), None, changes, (), (), FilterRules(helpers="called")) == ()


def test_any_other_changed_file_of_the_test_tree_can_drop_the_test() -> None:
    paths = {TEST_PATH, "src/test/resources/data.txt"}
    assert changed_helpers(a_test(), None, [], paths, (), FilterRules(helpers="any_test_change")) == (
        "src/test/resources/data.txt",
    )
    assert changed_helpers(a_test(), None, [], paths, (), FilterRules(helpers="none")) == ()


def label_of(change: ChangeKind) -> Label:
    return judge(facts(change), {}, STRICT)


def calling(change: ChangeKind, *dependencies: Dependency) -> Label:
    return label_of(change).model_copy(update={"dependencies": dependencies})


def refactoring(kind: str, *declarations: str) -> Refactoring:
    return Refactoring(kind=kind, description=f"{kind}\tsomething", declarations=declarations)


def verdict(*refactorings: Refactoring, **values: object) -> RefactoringVerdict:
    purity = {"test_change": Purity.NONE, "code_change": Purity.NONE, "moved": False}
    return RefactoringVerdict(
        repository="o/r",
        old_revision="old",
        new_revision="new",
        test=a_test(),
        refactorings=refactorings,
        **(purity | values),  # type: ignore[arg-type]
    )


@pytest.mark.parametrize(
    ("kind", "declaration", "drops"),
    [
        ("Rename Method", f"L:{TEST_PATH}:5-9", True),
        ("Replace Generic With Diamond", f"R:{TEST_PATH}:3-9", True),
        ("Extract And Move Method", f"L:{TEST_PATH}:5-9", False),
        ("Rename Method", f"L:{TEST_PATH}:10-12", False),
        ("Rename Method", f"L:{CODE_PATH}:5-9", False),
    ],
)
def test_an_update_is_dropped_by_a_refactoring_at_its_own_declaration(kind: str, declaration: str, drops: bool) -> None:
    """The documentation comment may belong to the location; the last line decides."""
    found = refactored_declaration(label_of(ChangeKind.MODIFIED), [refactoring(kind, declaration)])
    assert (found is not None) is drops


def test_generation_has_no_declaration_filter() -> None:
    renamed = verdict(refactoring("Rename Method", f"R:{TEST_PATH}:5-9"))
    assert refactoring_reason(label_of(ChangeKind.INSERTED), renamed, RELEASED.filters) is None
    found = refactoring_reason(label_of(ChangeKind.MODIFIED), renamed, RELEASED.filters)
    assert found is not None
    assert found[0] == DropReason.TEST_REFACTORED


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        ({"test_change": Purity.PURE, "code_change": Purity.PURE}, DropReason.TEST_REFACTORED),
        ({"test_change": Purity.MIXED, "code_change": Purity.PURE}, DropReason.CODE_REFACTORED),
        ({"test_change": Purity.UNKNOWN, "code_change": Purity.UNKNOWN}, None),
        ({"test_change": Purity.MIXED, "code_change": Purity.MIXED}, None),
        ({"moved": True}, DropReason.MOVED),
    ],
)
def test_pure_refactorings_and_moves_drop_a_candidate(values: dict[str, object], reason: DropReason | None) -> None:
    """TEB-X10, X11; what detection could not tell is kept."""
    found = refactoring_reason(label_of(ChangeKind.MODIFIED), verdict(**values), STRICT.filters)
    assert (found[0] if found else None) == reason
    off = FilterRules(refactoring="none", moves=False)
    assert refactoring_reason(label_of(ChangeKind.MODIFIED), verdict(**values), off) is None


@pytest.mark.parametrize(
    ("outcomes", "exception", "contradicts"),
    [
        ((Outcome.ASSERTION_FAILED,), "java.lang.AssertionError", True),
        ((Outcome.ASSERTION_FAILED, Outcome.EXCEPTION), "java.lang.AssertionError", True),
        ((Outcome.EXCEPTION,), "java.lang.IllegalStateException", True),
        ((Outcome.EXCEPTION,), None, True),
        ((Outcome.EXCEPTION,), "java.lang.NoSuchMethodException", False),
        ((Outcome.ASSERTION_FAILED, Outcome.PASSED), "java.lang.AssertionError", False),
        ((Outcome.COMPILE_ERROR_IN_METHOD,), None, False),
        ((Outcome.TIMED_OUT,), None, False),
    ],
)
@pytest.mark.parametrize("pure", ["test_change", "code_change"])
def test_a_run_that_fails_contradicts_a_pure_refactoring(
    outcomes: tuple[Outcome, ...], exception: str | None, contradicts: bool, pure: str
) -> None:
    """Refactoring alone breaks the compilation, or a search for a name; it makes no assertion fail."""
    swapped = run(Combination.OLD_TEST_NEW_CODE, *outcomes).model_copy(update={"exception": exception})
    runs = [run(Combination.NEW_TEST_NEW_CODE, Outcome.PASSED), swapped]
    found = refactoring_reason(label_of(ChangeKind.MODIFIED), verdict(**{pure: Purity.PURE}), STRICT.filters, runs)
    assert (found is None) is contradicts


@pytest.mark.parametrize(
    ("kind", "declaration", "drops"),
    [
        ("Extract Method", f"R:{CODE_PATH}:3-9", True),
        ("Change Parameter Type", f"R:{CODE_PATH}:5-9", True),
        ("Add Method Annotation", f"R:{CODE_PATH}:5-9", False),
        ("Change Method Access Modifier", f"R:{CODE_PATH}:5-9", False),
        ("Add Method Modifier", f"R:{CODE_PATH}:5-9", False),
        ("Remove Variable Modifier", f"R:{CODE_PATH}:5-9", False),
        ("Extract Method", f"L:{CODE_PATH}:5-9", False),
        ("Extract Method", f"R:{CODE_PATH}:10-12", False),
    ],
)
@pytest.mark.parametrize("change", [ChangeKind.MODIFIED, ChangeKind.INSERTED])
def test_a_test_of_refactored_methods_is_dropped_as_in_the_released_data(
    change: ChangeKind, kind: str, declaration: str, drops: bool
) -> None:
    label = calling(change, dependency("add", line=7))
    found = refactoring_reason(label, verdict(refactoring(kind, declaration)), RELEASED.filters)
    assert found == ((DropReason.CODE_REFACTORED, f"{kind}\tsomething") if drops else None)
    assert refactoring_reason(label, verdict(refactoring(kind, declaration)), STRICT.filters) is None


@pytest.mark.parametrize("second", [ChangeKind.MODIFIED, ChangeKind.INSERTED, ChangeKind.REMOVED])
def test_a_changed_method_outside_all_refactorings_keeps_the_test(second: ChangeKind) -> None:
    label = calling(ChangeKind.INSERTED, dependency("add", line=7), dependency("total", kind=second, line=18))
    extracted = verdict(refactoring("Extract Method", f"R:{CODE_PATH}:5-9"))
    assert refactoring_reason(label, extracted, RELEASED.filters) is None
    both = verdict(refactoring("Extract Method", f"R:{CODE_PATH}:5-9", f"R:{CODE_PATH}:12-20"))
    assert (refactoring_reason(label, both, RELEASED.filters) is not None) is (second == ChangeKind.MODIFIED)


def test_unchanged_tests_stay_negatives_when_the_methods_they_call_are_refactored() -> None:
    label = calling(ChangeKind.UNCHANGED, dependency("add", line=7))
    extracted = verdict(refactoring("Extract Method", f"R:{CODE_PATH}:5-9"))
    assert refactoring_reason(label, extracted, RELEASED.filters) is None


def test_a_test_without_changed_callees_is_not_dropped_by_them() -> None:
    extracted = verdict(refactoring("Extract Method", f"R:{CODE_PATH}:5-9"))
    assert refactoring_reason(calling(ChangeKind.MODIFIED), extracted, RELEASED.filters) is None


@pytest.mark.parametrize("text", ["X:a:1-2", "L:a", "L:a:1", "nothing"])
def test_a_declaration_of_another_form_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="declaration"):
        read_declaration(text)

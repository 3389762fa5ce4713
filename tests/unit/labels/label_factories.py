"""Short ways to say what the tests of labels are about."""

from testevo.config.rules import ChangeRules, FilterRules, PairRules, Rules, SwapRules
from testevo.labels.candidate import CandidateFacts
from testevo.labels.dependencies import DependencyLinks
from testevo.records.calls import Callee, CallMap
from testevo.records.changes import CommitPair, MethodChange, PairRelation
from testevo.records.executions import Combination, Execution
from testevo.records.labels import Dependency
from testevo.records.methods import ChangeKind, MethodKey, Side, Span, TestKey, TestKind
from testevo.records.verdicts import Outcome

TEST_PATH = "src/test/java/p/ATest.java"
CODE_PATH = "src/main/java/p/A.java"
SPAN = Span(first_line=5, last_line=9)

STRICT = Rules()
RELEASED = Rules(
    pairs=PairRules(join="code_then_test", ancestors_only=False),
    changes=ChangeRules(
        test_kinds=(TestKind.JUNIT4, TestKind.JUPITER),
        top_level_class_only=True,
        through_helpers=False,
        through_lambdas=False,
        through_bridges=False,
        lost_dependencies=True,
        modified_old_callees=True,
        merge_removed_overloads=True,
    ),
    swap=SwapRules(test_swap="method_splice", missing_old_file="counts_as_failing"),
    filters=FilterRules(
        refactoring="declaration",
        refactored_dependencies=True,
        moves=False,
        console_launcher=True,
        collateral_compile_errors="count_as_failing",
    ),
)


def method(name: str, *parameters: str, type_name: str = "p.A") -> MethodKey:
    return MethodKey(type_name=type_name, name=name, parameters=parameters)


def a_test(name: str = "adds", path: str = TEST_PATH) -> TestKey:
    return TestKey(module="", path=path, type_name="p.ATest", name=name)


def callee(
    key: MethodKey,
    *,
    descriptor: str = "()V",
    signature: str | None = None,
    variable_arity: bool = False,
    calls: int = 1,
    depth: int = 1,
    through_helper: bool = False,
    through_lambda: bool = False,
    through_bridge: bool = False,
    from_thread: bool = False,
) -> Callee:
    return Callee(
        method=key,
        descriptor=descriptor,
        generic_signature=signature,
        variable_arity=variable_arity,
        calls=calls,
        depth=depth,
        through_helper=through_helper,
        through_lambda=through_lambda,
        through_bridge=through_bridge,
        from_thread=from_thread,
    )


def call_map(
    revision: str,
    *direct: Callee,
    test: TestKey | None = None,
    helpers: tuple[Callee, ...] = (),
    closure: tuple[Callee, ...] = (),
) -> CallMap:
    return CallMap(
        repository="o/r",
        revision=revision,
        test=test or a_test(),
        outcome=Outcome.PASSED,
        direct=direct,
        helpers=helpers,
        closure=closure,
    )


def code_change(
    key: MethodKey, kind: ChangeKind = ChangeKind.MODIFIED, old: str = "old", new: str = "new", span: Span = SPAN
) -> MethodChange:
    return MethodChange(
        repository="o/r",
        old_revision=old,
        new_revision=new,
        side=Side.PRODUCTION,
        module="",
        method=key,
        kind=kind,
        text_differs=True,
        byte_code_differs=True,
        old_path=None if kind == ChangeKind.INSERTED else CODE_PATH,
        new_path=None if kind == ChangeKind.REMOVED else CODE_PATH,
        old_span=None if kind == ChangeKind.INSERTED else span,
        new_span=None if kind == ChangeKind.REMOVED else span,
    )


def change_of_test(
    name: str = "adds",
    kind: ChangeKind = ChangeKind.MODIFIED,
    old: str = "old",
    new: str = "new",
    test_kind: TestKind | None = TestKind.JUNIT4,
    byte_code_differs: bool | None = True,
) -> MethodChange:
    return MethodChange(
        repository="o/r",
        old_revision=old,
        new_revision=new,
        side=Side.TEST,
        module="",
        method=MethodKey(type_name="p.ATest", name=name),
        kind=kind,
        text_differs=True,
        byte_code_differs=byte_code_differs,
        old_path=None if kind == ChangeKind.INSERTED else TEST_PATH,
        new_path=None if kind == ChangeKind.REMOVED else TEST_PATH,
        old_span=None if kind == ChangeKind.INSERTED else SPAN,
        new_span=None if kind == ChangeKind.REMOVED else SPAN,
        test_kind=test_kind,
    )


def pair(old: str, new: str, position: int = 0, gap: int = 60, author_gap: int = 60) -> CommitPair:
    return CommitPair(
        repository="o/r",
        old_revision=old,
        new_revision=new,
        position=position,
        relation=PairRelation.PARENT_CHILD,
        author_gap=author_gap,
        committer_gap=gap,
    )


def dependency(name: str = "add", kind: ChangeKind = ChangeKind.MODIFIED, score: float = 0.5) -> Dependency:
    return Dependency(method=method(name), kind=kind, path=CODE_PATH, span=SPAN, score=score)


def facts(change: ChangeKind = ChangeKind.MODIFIED, **others: object) -> CandidateFacts:
    values: dict[str, object] = {
        "repository": "o/r",
        "old_revision": "old",
        "new_revision": "new",
        "test": a_test(),
        "test_kind": TestKind.JUNIT4,
        "is_plain": True,
        "nominated": change,
        "change": change,
        "links": DependencyLinks(dependencies=(dependency(),)),
        "old_path": None if change == ChangeKind.INSERTED else TEST_PATH,
        "old_span": None if change == ChangeKind.INSERTED else SPAN,
        "new_span": None if change == ChangeKind.REMOVED else SPAN,
    }
    return CandidateFacts(**(values | others))  # type: ignore[arg-type]


def run(combination: Combination, *outcomes: Outcome) -> Execution:
    return Execution(
        repository="o/r",
        old_revision="old",
        new_revision="new",
        test=a_test(),
        combination=combination,
        swap="file",
        old_tree="",
        outcomes=outcomes,
    )


def runs(**outcomes: Outcome | tuple[Outcome, ...]) -> dict[Combination, Execution]:
    """By short names: `new`, `old`, `old_on_new`, `new_on_old`."""
    names = {
        "new": Combination.NEW_TEST_NEW_CODE,
        "old": Combination.OLD_TEST_OLD_CODE,
        "old_on_new": Combination.OLD_TEST_NEW_CODE,
        "new_on_old": Combination.NEW_TEST_OLD_CODE,
    }
    return {
        names[name]: run(names[name], *((value,) if isinstance(value, Outcome) else value))
        for name, value in outcomes.items()
    }

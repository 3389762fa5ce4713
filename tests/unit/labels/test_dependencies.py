"""Which changed methods a test depends on (TEB-X13, X14)."""

from label_factories import CODE_PATH, RELEASED, STRICT, call_map, callee, change_of_test, code_change, method

from testevo.config.rules import ChangeRules
from testevo.labels.dependencies import DependencyLinks, link_dependencies, why_unknown
from testevo.records.calls import Callee
from testevo.records.methods import ChangeKind, MethodKey


def by_calls(_: MethodKey, calls: int) -> float:
    return calls / 10


def test_dependencies_are_changed_methods_that_the_test_calls_directly() -> None:
    """A changed method that nothing calls, a called one that did not change, and test code are not dependencies."""
    changes = [code_change(method("called")), code_change(method("other")), change_of_test("helper", test_kind=None)]
    unchanged = code_change(method("same"), ChangeKind.UNCHANGED)
    calls = call_map("new", *(callee(method(name)) for name in ("called", "same", "equal")))
    links = link_dependencies([*changes, unchanged], calls, None, STRICT.changes, by_calls)
    assert [d.method.name for d in links.dependencies] == ["called"]


def test_the_most_strongly_coupled_dependency_comes_first() -> None:
    changes = [code_change(method(name)) for name in "abc"]
    calls = call_map("new", callee(method("a"), calls=1), callee(method("b"), calls=3), callee(method("c"), calls=1))
    links = link_dependencies(changes, calls, None, STRICT.changes, by_calls)
    assert [(d.method.name, d.score) for d in links.dependencies] == [("b", 0.3), ("a", 0.1), ("c", 0.1)]


def test_of_equally_coupled_dependencies_the_larger_change_comes_first() -> None:
    """Not the one whose name comes first in the alphabet, which may be a mere rewrite of a loop."""
    sizes = {"a": 4, "b": 4, "c": 30}
    changes = [code_change(method(name)).model_copy(update={"changed_tokens": size}) for name, size in sizes.items()]
    links = link_dependencies(
        changes, call_map("new", *(callee(method(name)) for name in sizes)), None, STRICT.changes, by_calls
    )
    assert [dependency.method.name for dependency in links.dependencies] == ["c", "a", "b"]
    assert [dependency.method.name for dependency in links.closure] == ["c", "a", "b"]


def test_a_removed_method_is_judged_by_the_old_test_on_the_old_code() -> None:
    """Its place is the one at the old revision."""
    gone, kept = code_change(method("gone"), ChangeKind.REMOVED), code_change(method("kept"))
    links = link_dependencies(
        [gone, kept],
        call_map("new", callee(method("kept")), callee(method("gone"))),
        call_map("old", callee(method("gone"))),
        STRICT.changes,
        by_calls,
    )
    assert {d.method.name: d.kind for d in links.dependencies} == {
        "gone": ChangeKind.REMOVED,
        "kept": ChangeKind.MODIFIED,
    }
    without_old = link_dependencies([gone], call_map("new", callee(method("gone"))), None, STRICT.changes, by_calls)
    assert without_old.dependencies == ()


def test_a_modified_method_that_only_the_old_test_calls_counts_where_the_rules_say_so() -> None:
    """The new test no longer calls `left`; of `kept`, which both call, its own calls count."""
    changes = [code_change(method(name)) for name in ("left", "kept", "uncalled")]
    changes.append(code_change(method("added"), ChangeKind.INSERTED))
    new = call_map("new", callee(method("kept"), calls=3))
    old = call_map("old", *(callee(method(name)) for name in ("left", "kept", "added")))
    links = {
        rules: link_dependencies(changes, new, old, rules, by_calls) for rules in (STRICT.changes, RELEASED.changes)
    }
    assert [one.method.name for one in links[STRICT.changes].dependencies] == ["kept"]
    found = links[RELEASED.changes].dependencies
    assert {one.method.name: (one.kind, one.path) for one in found} == {
        "kept": (ChangeKind.MODIFIED, CODE_PATH),
        "left": (ChangeKind.MODIFIED, CODE_PATH),
    }
    assert found[0].method.name == "kept"
    for link in links.values():
        assert {one.method for one in link.dependencies} == {one.method for one in link.closure}
    inserted = link_dependencies(changes, new, None, RELEASED.changes, by_calls)
    assert [one.method.name for one in inserted.dependencies] == ["kept"]


def test_callees_through_helpers_bridges_lambdas_and_threads_count_only_where_the_rules_say_so() -> None:
    changes = [code_change(method(name)) for name in ("bridged", "helped", "inLambda", "threaded")]
    calls = call_map(
        "new",
        callee(method("bridged"), through_bridge=True),
        callee(method("helped"), through_helper=True),
        callee(method("inLambda"), through_lambda=True),
        callee(method("threaded"), from_thread=True),
    )

    def names(**switches: bool) -> list[str]:
        rules = STRICT.changes.model_copy(update=switches)
        return [d.method.name for d in link_dependencies(changes, calls, None, rules, by_calls).dependencies]

    assert names() == ["bridged", "helped", "inLambda", "threaded"]
    assert names(through_bridges=False) == ["helped", "inLambda", "threaded"]
    assert names(through_helpers=False) == ["bridged", "inLambda", "threaded"]
    assert names(through_lambdas=False) == ["bridged", "helped", "threaded"]
    assert names(through_threads=False) == ["bridged", "helped", "inLambda"]


def test_lost_callees_are_kept_apart_only_with_the_switch() -> None:
    changes = [code_change(method("names")), code_change(method("size"))]
    calls = call_map(
        "new", callee(method("names"), descriptor="()[Ljava/lang/String;"), callee(method("size"), descriptor="()I")
    )
    released = link_dependencies(changes, calls, None, RELEASED.changes, by_calls)
    assert [d.method.name for d in released.dependencies] == ["size"]
    assert released.lost == (method("names"),)
    strict = link_dependencies(changes, calls, None, STRICT.changes, by_calls)
    assert len(strict.dependencies) == 2
    assert strict.lost == ()


def test_removed_callees_are_lost_where_the_new_test_calls_nothing_that_the_sources_declare() -> None:
    """As where Lombok makes the getter `getSpeed` in place of the removed `speed`."""
    gone = code_change(method("speed"), ChangeKind.REMOVED)
    old = call_map("old", callee(method("speed")))
    made, declared = callee(method("getSpeed")), callee(method("refresh"))

    def released(*callees: Callee, rules: ChangeRules = RELEASED.changes) -> DependencyLinks:
        return link_dependencies(
            [gone], call_map("new", *callees), old, rules, by_calls, lambda key: key == declared.method
        )

    assert (released(made).dependencies, released(made).lost) == ((), (gone.method,))
    assert [one.method for one in released(made, declared).dependencies] == [gone.method]
    assert [one.method for one in released(made, rules=STRICT.changes).dependencies] == [gone.method]


def test_a_changed_parameter_list_is_one_dependency_where_overloads_are_merged() -> None:
    """A removed overload is left out beside an inserted or modified one of the same class and name."""
    changes = [
        code_change(method("put", "int"), ChangeKind.REMOVED),
        code_change(method("put", "long"), ChangeKind.INSERTED),
        code_change(method("get", "int"), ChangeKind.REMOVED),
    ]
    new = call_map("new", callee(method("put", "long")))
    old = call_map("old", callee(method("put", "int")), callee(method("get", "int")))
    merged = link_dependencies(changes, new, old, RELEASED.changes, by_calls)
    assert [str(d.method) for d in merged.dependencies] == ["p.A#get(int)", "p.A#put(long)"]
    assert len(link_dependencies(changes, new, old, STRICT.changes, by_calls).dependencies) == 3


def test_the_closure_holds_everything_changed_below_the_test_but_no_constructor() -> None:
    changes = [code_change(method(name)) for name in ("direct", "deep", "<init>")]
    calls = call_map(
        "new",
        callee(method("direct"), calls=2),
        closure=(callee(method("deep"), depth=3), callee(method("<init>")), callee(method("direct"))),
    )
    links = link_dependencies(changes, calls, None, STRICT.changes, by_calls)
    assert [(d.method.name, d.score) for d in links.closure] == [("direct", 0.2), ("deep", 0.0)]
    assert [d.method.name for d in links.dependencies] == ["direct"]


def test_calls_are_unknown_beside_a_class_that_the_probe_cannot_instrument() -> None:
    whole = call_map("new", callee(method("called")))
    assert why_unknown(whole) is None
    torn = whole.model_copy(update={"uninstrumented": ("a.Big",)})
    assert why_unknown(torn) == "the probe cannot see calls of a.Big"

"""Renames and inlining against their definitions, on random texts (TEB-X10, X11)."""

from hypothesis import given
from hypothesis import strategies as st

from testevo.labels.refactorings.inlining import MethodTokens, inlined, take_apart
from testevo.labels.refactorings.renames import Rename, Role, equal_after_renames, renames_of, tokens_of
from testevo.records.labels import Refactoring

statements = st.lists(st.sampled_from(["a ( x ) ;", "b ( ) ;", "y = y + 1 ;", "c ( x , 2 ) ;"]), min_size=1, max_size=8)
words = st.lists(st.sampled_from(["old", "other", "(", ")", ".", "=", ";", '"old"', "1"]), max_size=15)


def method(body: list[str]) -> list[str]:
    return tokens_of(f"void big ( int x ) {{ {' '.join(body)} }}")


@given(statements, st.data())
def test_putting_an_extracted_block_back_gives_the_old_text(body: list[str], data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(body) - 1))
    end = data.draw(st.integers(start + 1, len(body)))
    part = take_apart(tokens_of(f"void part ( int x ) {{ {' '.join(body[start:end])} }}"), "part")
    assert part is not None
    extracted = method([*body[:start], "part ( x ) ;", *body[end:]])
    assert method(body) in list(inlined(extracted, part))


@given(statements)
def test_a_text_without_call_gives_nothing(body: list[str]) -> None:
    assert list(inlined(method(body), MethodTokens("part", ("x",), ("a", "(", ")", ";")))) == []


@given(words)
def test_a_variable_renamed_everywhere_is_explained_and_one_more_edit_is_not(body: list[str]) -> None:
    rename = Rename(Role.VARIABLE, "old", "new", "m")
    before = ["m", "{", *body, "}"]
    calls = {i for i, token in enumerate(before) if token == "old" and before[i + 1] == "("}
    after = ["new" if token == "old" and i not in calls else token for i, token in enumerate(before)]
    assert equal_after_renames(before, after, "m", [rename])
    assert not equal_after_renames(before, [*after[:-1], "edited"], "m", [rename])
    assert not equal_after_renames(before, [*after, "edited"], "m", [rename])
    if after != before:
        assert not equal_after_renames(before, after, "other", [rename])
        assert not equal_after_renames(before, after, "m", [])


def described(kind: str, text: str) -> Refactoring:
    return Refactoring(kind=kind, description=f"{kind}\t{text}")


def test_names_are_read_from_the_forms_of_descriptions() -> None:
    """As RefactoringMiner 3.0.10 writes them; what renames nothing yields nothing."""
    found = renames_of(
        [
            described("Rename Method", "public oldName(a int) : A renamed to public newName(b int) : A in class p.A"),
            described(
                "Move And Rename Method",
                "public one(a List<String>) : void from class p.A to public two(a List<String>) : void from class p.B",
            ),
            described("Rename Parameter", "a : int to b : int in method public newName(b int) : int from class p.A"),
            described("Rename Attribute", "total : Map<String, Integer> to amount : Map<String, Integer> in class p.A"),
            described("Move And Rename Class", "p.C moved and renamed to q.D"),
            described("Move Class", "p.E moved to q.E"),
            described("Change Variable Type", "a : int to a : long in method public f() : int from class p.A"),
            described("Extract Method", "private e() : void extracted from public f() : int in class p.A"),
        ]
    )
    assert found == (
        Rename(Role.METHOD, "oldName", "newName"),
        Rename(Role.METHOD, "one", "two"),
        Rename(Role.VARIABLE, "a", "b", "p.A#newName"),
        Rename(Role.FIELD, "total", "amount"),
        Rename(Role.TYPE, "C", "D"),
    )


def test_literals_with_spaces_are_one_token() -> None:
    assert tokens_of('log ( "a b \\" c" , \' \' , """\n x y """ ) ;') == [
        "log",
        "(",
        '"a b \\" c"',
        ",",
        "' '",
        ",",
        '"""\n x y """',
        ")",
        ";",
    ]

"""Callees that the released data loses."""

import pytest
from label_factories import callee, method

from testevo.labels.lost_dependencies import is_lost, parse_signature


@pytest.mark.parametrize(
    ("descriptor", "signature", "lost"),
    [
        ("()V", None, False),
        ("()Ljava/lang/String;", None, False),
        ("()[I", None, False),
        ("()[Ljava/lang/String;", None, True),
        ("()[[I", None, True),
        ("([Ljava/lang/String;)V", None, False),
        ("()[Ljava/lang/Object;", "()[TE;", True),
        ("(Ljava/lang/Object;)V", "<T:Ljava/lang/Object;>(TT;)V", False),
        ("([Ljava/lang/Object;)V", "<T:Ljava/lang/Object;>([TT;)V", True),
        ("([[Ljava/lang/Object;)V", "<T:Ljava/lang/Object;>([[TT;)V", True),
        ("(Ljava/lang/Number;)V", "<T:Ljava/lang/Number;>(TT;)V", True),
        ("(Ljava/lang/Comparable;)V", "<T::Ljava/lang/Comparable<TT;>;>(TT;)V", True),
        ("(Ljava/lang/Object;)V", "<T:Ljava/lang/Object;:Ljava/io/Closeable;>(TT;)V", True),
        ("(Ljava/util/List;)V", "<T:Ljava/lang/Number;>(Ljava/util/List<TT;>;)V", False),
        ("(Ljava/util/List;)V", "<T:Ljava/lang/Object;>(Ljava/util/List<[TT;>;)V", False),
        ("([Ljava/lang/Object;)V", "([TE;)V", False),
        ("(ILjava/lang/Object;)V", "<K:Ljava/lang/Object;V:TK;>(ITV;)V", True),
    ],
)
def test_a_callee_is_lost_by_its_return_type_or_by_its_own_type_variables(
    descriptor: str, signature: str | None, lost: bool
) -> None:
    """Arrays of references returned, `T[]` and bounded `T` of the method itself taken; a class's `E[]` is fine."""
    assert is_lost(callee(method("m"), descriptor=descriptor, signature=signature)) is lost


@pytest.mark.parametrize(
    ("descriptor", "signature", "lost"),
    [
        ("([Ljava/lang/Object;)V", "<T:Ljava/lang/Object;>([TT;)V", False),
        ("([[Ljava/lang/Object;)V", "<T:Ljava/lang/Object;>([[TT;)V", True),
        ("([Ljava/lang/Object;[Ljava/lang/Object;)V", "<T:Ljava/lang/Object;>([TT;[TT;)V", True),
        ("([Ljava/lang/Number;)V", "<T:Ljava/lang/Number;>([TT;)V", True),
        ("([Ljava/lang/String;)V", None, False),
    ],
)
def test_the_last_parameter_of_variable_arity_counts_by_its_element(
    descriptor: str, signature: str | None, lost: bool
) -> None:
    """`T...` is in the released data where `T` has no bound."""
    assert is_lost(callee(method("m"), descriptor=descriptor, signature=signature, variable_arity=True)) is lost


def test_a_signature_is_taken_apart_with_nested_type_arguments() -> None:
    signature = parse_signature(
        "<A:Ljava/lang/Object;B::Ljava/util/Map<TA;Ljava/util/List<[I>;>;>(Lp/Outer<TA;>.Inner<*>;J[TB;)TA;^TX;"
    )
    assert signature.unbounded == {"A"}
    assert signature.bounded == {"B"}
    assert signature.parameters == ("Lp/Outer<TA;>.Inner<*>;", "J", "[TB;")


@pytest.mark.parametrize("text", ["", "V", "(Q)V"])
def test_text_that_is_no_signature_is_refused(text: str) -> None:
    with pytest.raises((ValueError, IndexError)):
        parse_signature(text)


def test_a_descriptor_without_return_type_is_refused() -> None:
    with pytest.raises(ValueError, match="no method descriptor"):
        is_lost(callee(method("m"), descriptor="()"))

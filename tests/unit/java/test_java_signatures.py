"""Keys from byte code equal keys from source."""

import pytest

from testevo.java.signatures import method_key, parameters_of_descriptor, simple_name
from testevo.java.syntax import parse_java


def test_descriptors_give_erased_simple_names() -> None:
    assert parameters_of_descriptor("(ILjava/util/Map$Entry;[[J[Ljava/lang/String;ZBCDFS)Ljava/lang/Object;") == (
        "int",
        "Entry",
        "long[][]",
        "String[]",
        "boolean",
        "byte",
        "char",
        "double",
        "float",
        "short",
    )
    assert parameters_of_descriptor("()V") == ()


@pytest.mark.parametrize("wrong", ["", "I", "(Q)V", "(Ljava/lang/String)V"])
def test_what_is_no_descriptor_is_refused(wrong: str) -> None:
    with pytest.raises(ValueError, match="not a method descriptor"):
        parameters_of_descriptor(wrong)


def test_source_and_byte_code_name_a_method_alike() -> None:
    source = b"package a.b; class O { static class I$J<T extends java.util.List<?>> { void f(T t, O.I$J<?>[] x) {} } }"
    (method,) = parse_java(source, "O.java").methods
    assert method.key == method_key("a/b/O$I$J", "f", "(Ljava/util/List;[La/b/O$I$J;)V")
    assert method.key == method_key("a.b.O$I$J", "f", "(Ljava/util/List;[La/b/O$I$J;)V")


def test_a_dollar_sign_at_the_end_belongs_to_the_name() -> None:
    assert [simple_name(name) for name in ("a/b/C$", "a.b.C$D", "C")] == ["C$", "D", "C"]

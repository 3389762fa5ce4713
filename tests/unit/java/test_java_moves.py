"""Class and package moves and renames are seen through (TEB-X11)."""

from testevo.java.moves import Move, moved_files

FOO = b"package a; import x.Y; /** Old. */ public class Foo { Foo() {} static Foo of(Y y) { return new Foo(); } }"
BAR = b"package b.c;\r\nimport x.z.Y;\r\npublic class Bar {\r\n  Bar() {} static Bar of(Y y) { return new Bar(); }\r\n}"


def test_what_the_code_says_does_matter() -> None:
    moved = FOO.replace(b"package a", b"package b")
    assert moved_files({"a/Foo.java": FOO}, {"b/Foo.java": moved.replace(b"new Foo()", b"null")}) == []
    assert moved_files({"a/F.java": b"@A(1) class F {}"}, {"b/F.java": b"@A(2) class F {}"}) == []


def test_moves_tell_whether_the_type_was_renamed() -> None:
    moved = FOO.replace(b"package a", b"package b")
    assert moved_files({"a/Foo.java": FOO}, {"b/Foo.java": moved}) == [Move("a/Foo.java", "b/Foo.java", False)]
    assert moved_files({"a/Foo.java": FOO}, {"b/c/Bar.java": BAR}) == [Move("a/Foo.java", "b/c/Bar.java", True)]


def test_a_file_that_stays_or_changes_is_no_move() -> None:
    assert moved_files({"a/Foo.java": FOO}, {"a/Foo.java": FOO, "b/Foo.java": FOO}) == []
    assert moved_files({"a/Foo.java": FOO}, {"b/Foo.java": FOO.replace(b"static", b"final")}) == []


def test_a_file_that_uses_a_renamed_type_has_moved_as_well() -> None:
    old = {"a/Foo.java": FOO, "a/FooTest.java": b"package a; class FooTest { Foo foo = Foo.of(null); }"}
    new = {"b/c/Bar.java": BAR, "b/c/BarTest.java": b"package b.c; class BarTest { Bar foo = Bar.of(null); }"}
    assert [move.new_path for move in moved_files(old, new)] == ["b/c/Bar.java", "b/c/BarTest.java"]


def test_equal_files_are_matched_by_name_first_and_one_to_one() -> None:
    old = {"a/A.java": b"class A { }", "a/B.java": b"class B { }", "a/C.java": b"class C { }"}
    new = {"b/B.java": b"class B { }", "b/C.java": b"class C { }"}
    assert moved_files(old, new) == [Move("a/B.java", "b/B.java", False), Move("a/C.java", "b/C.java", False)]

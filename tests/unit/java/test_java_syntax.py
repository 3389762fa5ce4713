"""What the package `java` reads from Java files: types, methods, keys, spans, tokens (TEB-M16, M17)."""

import pytest

from testevo.java.syntax import JavaFile, parse_java


def parse(source: str | bytes) -> JavaFile:
    return parse_java(source if isinstance(source, bytes) else source.encode(), "src/main/java/a/A.java")


def keys(source: str | bytes) -> list[str]:
    return [str(method.key) for method in parse(source).methods]


def spans(source: str | bytes) -> list[tuple[int, int]]:
    return [(method.span.first_line, method.span.last_line) for method in parse(source).methods]


def test_type_variables_are_erased_to_their_first_bound_through_all_scopes() -> None:
    """Key rule of `MethodKey`: type variables as their bound."""
    source = """
        package a;
        class A<T extends Comparable<T> & Runnable, U> {
          <S extends T, V extends S> void own(S s, V v, U u, T t, Z z) {}
          <T> void hides(T t) {}
          class Inner<W extends U> { void deep(T[] t, W... w) {} }
        }"""
    assert keys(source) == [
        "a.A#own(Comparable,Comparable,Object,Comparable,Z)",
        "a.A#hides(Object)",
        "a.A$Inner#deep(Comparable[],Object[])",
    ]


def test_a_member_type_hides_a_type_variable_of_the_same_name() -> None:
    assert keys("class A<T> { class T {} void f(T t, java.util.T u) {} }") == ["A#f(T,T)"]


def test_parameters_keep_simple_names_dimensions_and_varargs() -> None:
    source = """class A {
      void f(final @X("a,b") java.util.Map.@Y Entry<String, int[]>[] e, int a[], String @X [] b[], long... c) {}
      void receiver(@X A this, int a) {}
      int[] back()[] { return null; }
      void annotated(@X String @Y... z) {}
    }"""
    assert keys(source) == [
        "A#f(Entry[],int[],String[][],long[])",
        "A#receiver(int)",
        "A#back()",
        "A#annotated(String[])",
    ]
    assert [method.return_type for method in parse(source).methods] == ["void", "void", "int[][]", "void"]


def test_records_enums_interfaces_and_annotation_types_are_read() -> None:
    source = """
        package a;
        record R<X extends Number>(X x, int... ys) implements Q { R { } R(int i) { this(1, i); } }
        enum E { A { void hidden() {} }, B; E() {} abstract void shown(); }
        interface I extends J, b.K<String> { default void d() {} static void s() {} void a(); }
        @interface N { int value() default 1; }"""
    file = parse(source)
    assert [str(method.key) for method in file.methods] == [
        "a.R#<init>(Number,int[])",
        "a.R#<init>(int)",
        "a.E#<init>()",
        "a.E#shown()",
        "a.I#d()",
        "a.I#s()",
        "a.I#a()",
        "a.N#value()",
    ]
    assert [(one.name, one.kind) for one in file.types] == [
        ("a.R", "record"),
        ("a.E", "enum"),
        ("a.I", "interface"),
        ("a.N", "annotation"),
    ]
    assert [one.interfaces for one in file.types] == [("Q",), (), ("J", "b.K"), ()]
    assert [method.has_body for method in file.methods] == [True, True, True, False, True, True, False, False]


def test_methods_of_local_and_anonymous_classes_belong_to_the_method_around_them() -> None:
    source = """class A {
      Runnable field = new Runnable() { public void run() { lost(); } };
      void f() { class L { void local() {} } new Object() { void anonymous() {} }; }
    }"""
    (method,) = parse(source).methods
    assert "anonymous" in method.tokens and "local" in method.tokens


def test_a_file_tells_package_imports_modifiers_and_runner() -> None:
    source = """
        @Deprecated package a . b;
        import java.util.*; import static c.D.*; import c.E;
        @RunWith(value = Parameterized.class) @x.Y
        public final class A extends B<C>.D { @Test(timeout = 1) protected void f() {} }
        sealed class S permits T {} non-sealed class T extends S {}"""
    file = parse(source)
    assert (file.package, file.imports) == ("a.b", ("java.util.*", "static c.D.*", "c.E"))
    first, _, third = file.types
    assert (first.superclass, first.annotations, first.runs_with) == ("B.D", ("RunWith", "x.Y"), "Parameterized")
    assert (first.modifiers, third.modifiers) == ({"public", "final"}, {"non-sealed"})
    assert (file.methods[0].annotations, file.methods[0].modifiers) == (("Test",), {"protected"})


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_spans_run_from_the_first_annotation_to_the_closing_brace(line_end: str) -> None:
    """Lines as the compiler counts them, whatever ends a line; documentation excluded."""
    lines = [
        "/* \u00e4\u4e16\U0001f600 */ class A {",
        "\t/** doc */",
        "\t@Deprecated // why",
        "\tpublic",
        "\tint f()",
        "\t{",
        "\t}",
        "\tabstract",
        "\tvoid g()",
        "\t;",
        "}",
    ]
    assert spans(line_end.join(lines)) == [(3, 7), (8, 10)]


def test_offsets_count_bytes_not_characters() -> None:
    source = 'class \u00c4 { String s = "\u4e16\U0001f600"; void m\u00fc() { } int g() { return 1; } }'.encode()
    first, second = parse(source).methods
    assert source[first.start_byte : first.end_byte].decode() == "void m\u00fc() { }"
    assert source[second.start_byte : second.end_byte] == b"int g() { return 1; }"
    assert first.key.name == "m\u00fc"


def test_a_file_that_is_no_utf8_is_read_byte_by_byte() -> None:
    source = 'class A { // \u00e9\n String s = "\u00fc"; void caf\u00e9() { } void g() {} }'.encode("latin-1")
    file = parse(source)
    assert not file.has_errors
    assert [method.key.name for method in file.methods] == ["caf\u00e9", "g"]


def test_a_file_with_syntax_errors_gives_what_can_be_read() -> None:
    file = parse("class A { void f() { int = ; } void g() { } void h( { } void i() {} }")
    assert file.has_errors
    assert {"f", "g"} <= {method.key.name for method in file.methods}
    assert parse(b"\x00\xff}{").has_errors
    assert parse("").methods == ()


@pytest.mark.parametrize(
    "member",
    [
        "void f(int[] @X ... a) { }",
        "void f(@X Object @X(n = {1}) @Y... a) { }",
        "A(int f) { if (f < 0) { throw new Error(); } super(); }",
        "A(A f) { int i = 1; f.super(i); }",
        "A() { int f = 1; this(f); }",
        "int f(Object o) { return switch (o) { case P(_), Q(_, R<S, T> _) -> 1; case B _, C _ when d() -> 2; }; }",
        "void f(Object o) { switch (o) { case @X final String s: break; default: } }",
        "boolean f(Object o) { return o instanceof P(final int a, @X var b) && a > b; }",
        "boolean f(Object o) { return o instanceof a.B.P(int i, C.D(E.F(_), var j)) && k.l(i); }",
        "int f(Object o) { return switch (o) { case B.P(C.D(_), E.F(_)), G.H(_) -> i.j(k); case B.P p -> 1; }; }",
        "long f() { return 0_7L; }",
        "long f() { return 1__0L + 0x1__0 + 1__0.0__1e1__0; }",
        "A(int f) { f++; <String>this(f, 1); }",
        "A(A f) { f.g(); f.<String, B<C>>super(1); }",
        "A(int f) { <String>this(0_1, f); }",
        "boolean f(Object o) { return o instanceof P<T>(C.D(var x)) && a < b; }",
        "boolean f(Object o) { return o instanceof a.P<T, Q<R[]>>(C.D<E>(F.G(var x)), H.I j); }",
        "int f(Object o) { return switch (o) { case A when when when.x() -> 1; case a.B<C> when -> 2; }; }",
        "void f(Object o) { switch (o) { case D[] when when !when(f): break; default: } }",
        "void f(Object o) { switch (o) { case A when when when: break; case when, B: i = 0_1; default: } }",
    ],
)
def test_syntax_that_the_parser_does_not_know_hides_no_method(member: str) -> None:
    begin, end = (
        "import module java.base; class A { void a() { }\n",
        "\nvoid y() { int y = 1; } int z() { return 1; } }",
    )
    file = parse(begin + member + end)
    assert not file.has_errors and file.imports == ("java.base.*",)
    first, *mine, last_but_one, last = file.methods
    names = [one.key.name for one in (first, last_but_one, last)]
    assert (names, len(mine)) == (["a", "y", "z"], 1)
    assert last_but_one.tokens == "void y ( ) { int y = 1 ; }"
    assert (begin + member + end)[mine[0].start_byte : mine[0].end_byte] == member


def test_a_file_may_end_with_the_mark_that_ended_files_once() -> None:
    """JLS 3.5 ignores a Control-Z at the end."""
    file = parse("class A { void f() { } }\n\x1a")
    assert not file.has_errors and [method.key.name for method in file.methods] == ["f"]
    assert parse("class A { void f() { } \x1a }").has_errors


def test_annotations_of_what_the_parser_does_not_know_are_read() -> None:
    file = parse("enum A { B, @X(1) C; @Y(2) void f(@Z(3) int[] @W(4) ... a) { } }")
    assert [field.tokens for field in file.fields] == ["B", "@ X ( 1 ) C"]
    assert [(str(one.key), one.annotation_text) for one in file.methods] == [
        ("A#f(int[][])", "@Y( 2 ) @Z( 3 ) @W( 4 )")
    ]


def test_mistakes_in_a_row_are_given_up_after_a_bounded_number_of_steps() -> None:
    """The parser takes the square of their number: 56 kB of these took it ten seconds, a megabyte an hour."""
    few, many = (parse("class A { void f() {} }" + "case 1:" * number) for number in (5, 20_000))
    assert few.has_errors and [method.key.name for method in few.methods] == ["f"]
    assert many.has_errors and many.methods == () == many.types
    after = parse("class B { void g() {} }")
    assert not after.has_errors and [method.key.name for method in after.methods] == ["g"]


@pytest.mark.parametrize("mistake", ["List<", "a.b<", "List<;", "List</*>*/", "'c'?;", "?[->;~"])
def test_mistakes_in_a_row_are_given_up_beyond_an_amount_of_memory(
    mistake: str, capfd: pytest.CaptureFixture[str]
) -> None:
    """Of the parser, which takes the square of their number: a megabyte of these took more than any machine has."""
    begin = "class A { void f() {} }"
    assert parse(begin + mistake * 50).types != ()
    many = parse(begin + mistake * (1_000_000 // len(mistake)))
    assert many.has_errors and many.types == ()
    assert capfd.readouterr() == ("", "")


def test_a_long_file_without_mistakes_is_read() -> None:
    body = "for (int i = 0; i < 9; i++) g(new ArrayList<List<Integer>>());" * 30_000
    file = parse("class A { void f() {" + body + "} void g() {} }")
    assert not file.has_errors and [method.key.name for method in file.methods] == ["f", "g"]


def test_tokens_ignore_layout_and_comments_and_nothing_else() -> None:
    """Comment-free token text."""

    def tokens(method: str) -> str:
        return parse(f"class A {{ {method} }}").methods[0].tokens

    assert tokens("int f ( ) {/* x */return a>>b ; // y\n}") == tokens("int f(){return a >> b;}")
    assert tokens("List<List<T>> f();") == tokens("List < List < T > > f ( ) ;")
    assert tokens('String f() { return "/* no comment */ // none"; }') == (
        'String f ( ) { return "/* no comment */ // none" ; }'
    )
    different = [
        "void f() {}",
        "@A void f() {}",
        "final void f() {}",
        "void f(final int a) {}",
        'void f() { g(" "); }',
        'void f() { g("  "); }',
        "void f() { g(' '); }",
        "void f() { a ++; }",
        "void f() { a + +b; }",
        "void f() { ; }",
        "void f() { 0xe+1; }",
        "void f() { 1.5e-3f; }",
        'void f() { """\n a """; }',
        'void f() { """\n a\\""" """; }',
    ]
    assert len({tokens(one) for one in different}) == len(different)
    assert tokens("void f() { x = 0xe+1e-3+.5f; }") == "void f ( ) { x = 0xe + 1e-3 + .5f ; }"


def test_parsing_the_same_bytes_again_gives_the_same_value() -> None:
    assert parse(b"class A { void f() {} }") is parse(b"class " + b"A { void f() {} }")


def test_line_ends_within_a_text_block_are_no_difference() -> None:
    source = 'class A { @V("""\n  a\n  """) String f() { return """\n  b\n  """; } }'
    unix, windows = (parse_java(text.encode(), "A.java").methods[0] for text in (source, source.replace("\n", "\r\n")))
    assert (unix.tokens, unix.annotation_text) == (windows.tokens, windows.annotation_text)

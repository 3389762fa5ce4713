"""Values for the declarations of a Java file."""

from dataclasses import dataclass, field
from typing import Literal

from testevo.records.methods import MethodKey, Span

TypeKind = Literal["class", "interface", "enum", "record", "annotation"]


@dataclass(frozen=True)
class JavaType:
    """A named top-level or member type. Offsets count bytes of the file."""

    name: str
    """Binary name: `a.b.Outer$Inner`."""
    kind: TypeKind
    span: Span
    superclass: str | None
    """As written, without type arguments."""
    interfaces: tuple[str, ...]
    """As written, without type arguments; for an interface the ones it extends."""
    annotations: tuple[str, ...]
    """Names as written, without arguments."""
    modifiers: frozenset[str]
    """Keywords as written: a member of an interface is public and static without saying so."""
    start_byte: int
    end_byte: int
    body_end_byte: int
    """Where the closing brace of the body stands."""
    annotation_text: str = field(default="", repr=False)
    """Its annotations with their arguments, as those of a method."""
    components: str = field(default="", repr=False)
    """Comment-free tokens of a record's components."""
    constants: tuple[str, ...] = ()
    """The names of an enum's constants, in order."""
    runs_with: str | None = None
    """The class named in `@RunWith`, as written."""
    needs_separator: bool = False
    """An enum whose constants no `;` ends: a member can follow only after one."""

    @property
    def simple_name(self) -> str:
        """The declared name, without package and outer types."""
        return self.name.rsplit(".", 1)[-1].rsplit("$", 1)[-1]


@dataclass(frozen=True)
class JavaMethod:
    """A method or constructor of a named type. Offsets count bytes; annotations included, javadoc excluded."""

    key: MethodKey
    span: Span
    start_byte: int
    end_byte: int
    tokens: str = field(repr=False)
    """Comment-free tokens of the whole declaration, separated by one space."""
    annotations: tuple[str, ...]
    """Names as written, without arguments."""
    modifiers: frozenset[str]
    return_type: str
    """Erased simple name with dimensions; `void` for constructors, as in byte code."""
    is_constructor: bool
    has_body: bool
    annotation_text: str = field(default="", repr=False)
    """The annotations of the method and of its parameters, with their arguments: comment-free tokens separated by one
    space, names in full where a single import tells them. What the compiler alone reads (`@Override`) is left out."""
    takes_variables: bool = False
    """Whether the type of a parameter is a type variable of a class around, or an array of one: a method of another
    erasure may override it."""


@dataclass(frozen=True)
class JavaField:
    """Members of a type beside methods and types: fields, enum constants and initialiser blocks."""

    type_name: str
    names: tuple[str, ...]
    """Several where one declaration has them; none for an initialiser block."""
    number: int
    """Of an initialiser block: which of the blocks of the type, from 1."""
    tokens: str = field(repr=False)
    """Comment-free tokens of the whole declaration, separated by one space."""
    works_unnamed: bool
    """Whether it takes effect where nobody names it: enum constants, blocks, and fields with annotations (`@Rule`)."""


@dataclass(frozen=True)
class JavaFile:
    """A parsed file; with syntax errors it holds what could be read."""

    path: str
    package: str
    """'' for the unnamed package."""
    imports: tuple[str, ...]
    """`a.b.C`, `a.b.*`, `static a.b.C.d`, `static a.b.C.*`, in order. `import module a.b` is `a.b.*`: modules have the
    name of a package of theirs."""
    types: tuple[JavaType, ...]
    """Outer types before their members, in the order of the file."""
    methods: tuple[JavaMethod, ...]
    """In the order of the file within each type."""
    has_errors: bool
    fields: tuple[JavaField, ...] = ()
    """In the order of the file within each type."""

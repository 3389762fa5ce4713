"""Find the declarations of the test sources that a test reaches, by name from source alone (TEB-X09).

A name that is called reaches every method of that name in every type that is reached, whatever its parameters: what
cannot be told apart without types counts. What is called by reflection, under a name that no string literal spells, is
not seen.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

from testevo.java.declarations import JavaField, JavaFile, JavaMethod
from testevo.java.tests import DeclaredTest, find_tests
from testevo.java.tokens import decoded, is_word, tokens_of
from testevo.java.type_names import PlacedType, TypeNames
from testevo.records.methods import MethodKey

_FIXTURES = frozenset({"setUp", "tearDown", "suite", "runTest", "runBare"})
"""Methods that JUnit 3 calls by name."""
_OF_OBJECT = frozenset({"equals", "hashCode", "toString", "clone", "finalize"})


@dataclass(frozen=True)
class Reached:
    """A declaration that a test reaches."""

    name: str
    """`a.b.Outer$Inner#method(int)`, `a.b.Outer#field` or the name of a type; the same at both ends of a pair."""
    path: str
    text: str = field(repr=False)
    """Comment-free tokens; of a type what it extends and implements, the components of a record, and the names of an
    enum's constants in order."""
    annotations: str = field(default="", repr=False)
    key: MethodKey | None = None
    """Of a method or constructor; None of an annotation's element, whose default byte code digests leave out."""
    imports: tuple[str, ...] = field(default=(), repr=False)
    """Those of its file, as `JavaFile` has them."""

    @property
    def type_name(self) -> str:
        """The type that declares it, or that it is."""
        return self.name.partition("#")[0]


@dataclass(frozen=True)
class Reach:
    """The declarations that a test reaches beside itself."""

    declarations: tuple[Reached, ...]
    literals: frozenset[str]
    """The string literals in all that is reached, those of the test included."""
    words: frozenset[str]
    """The names in all that is reached, those of the test and of the owners of static imports included."""


class TestSources:
    """The test files of a revision (path → parsed file), asked what single tests reach."""

    __test__ = False

    def __init__(self, files: Mapping[str, JavaFile]) -> None:
        self.names = TypeNames(files)
        self.by_simple_name: dict[str, list[PlacedType]] = defaultdict(list)
        self.fields: dict[tuple[str, str], list[JavaField]] = defaultdict(list)
        self.configurations: dict[tuple[str, str], list[PlacedType]] = defaultdict(list)
        """Member types that Spring looks for in a test class, unnamed."""
        for place in self.names:
            self.by_simple_name[place.type.simple_name].append(place)
            if any(name.endswith("Configuration") for name in place.type.annotations):
                self.configurations[place.file.path, place.type.name.rpartition("$")[0]].append(place)
        for path, file in files.items():
            for one in file.fields:
                self.fields[path, one.type_name].append(one)
        self.tests = frozenset(test.method.key for test in find_tests(files))

    @cached_property
    def declarations(self) -> dict[str, list[Reached]]:
        """Every declaration of the test sources by its name; several where modules have copies."""
        found: dict[str, list[Reached]] = defaultdict(list)
        for place in self.names:
            for one in self.members(place):
                found[one.name].append(one)
        return dict(found)

    def members(self, place: PlacedType) -> Iterator[Reached]:
        """The type itself, its methods, fields and initialisers."""
        yield _of_type(place)
        for method in place.methods:
            yield _of_method(method, place)
        yield from (_of_field(one, place) for one in self.fields[place.file.path, place.type.name])

    def reach(self, test: DeclaredTest) -> Reach:
        """Collect what a test reaches: what it calls, and what its engine calls for it, transitively."""
        search = _Search(self, test)
        found = tuple(sorted(search.found.values(), key=lambda one: (one.name, one.path)))
        return Reach(found, search.literals(), search.words())


class _Search:
    """From the text of a test to all that it reaches, until nothing is added."""

    def __init__(self, sources: TestSources, test: DeclaredTest) -> None:
        self._sources, self._test = sources, test
        self._types: dict[tuple[str, str], PlacedType] = {}
        self._words: set[str] = {test.method.key.name}
        self._calls: set[str] = {test.method.key.name}
        self._own_calls: set[str] = set()
        self._literals: set[str] = set()
        self._owners: set[str] = set()
        self.found: dict[tuple[str, str], Reached] = {}
        own = {(test.path, test.type_name), (test.declared_in_path, test.method.key.type_name)}
        running = [one for one in sources.names if (one.file.path, one.type.name) in own]
        for place in running:
            self._add_type(place)
            self._read(test.method.tokens, place, test.method.key.name)
        before = -1
        while before != self._size():
            before = self._size()
            for place in list(self._types.values()):
                self._look_at(place)

    def literals(self) -> frozenset[str]:
        return frozenset(self._literals)

    def words(self) -> frozenset[str]:
        return frozenset(self._words | self._owners)

    def _size(self) -> int:
        return len(self._types) + len(self._words) + len(self._calls) + len(self._own_calls) + len(self.found)

    def _add_type(self, place: PlacedType) -> None:
        self._types.setdefault((place.file.path, place.type.name), place)

    def _look_at(self, place: PlacedType) -> None:
        """Read what is reached of a type that is reached."""
        self._read_member(_of_type(place), place)
        around = self._sources.names.declared(place.type.name.rpartition("$")[0].replace("$", "."), place)
        if around is not None:
            self._add_type(around)
        for configuration in self._sources.configurations[place.file.path, place.type.name]:
            self._add_type(configuration)
        foreign = self._has_foreign_parent(place)
        for method in place.methods:
            if method is not self._test.method and self._is_reached(method, foreign):
                self._read_member(_of_method(method, place), place)
        for one in self._sources.fields[place.file.path, place.type.name]:
            if one.works_unnamed or self._words.intersection(one.names):
                self._read_member(_of_field(one, place), place)

    def _is_reached(self, method: JavaMethod, foreign: bool) -> bool:
        """Called by name, or by what the test sources do not show: an engine, a library, production code.

        Tests have the names of what they test: one counts as called where nothing but `this` or `super` is in front.
        """
        if method.key in self._sources.tests:
            return method.key.name in self._own_calls
        if method.is_constructor or method.key.name in self._calls:
            return True
        if method.annotation_text or "Override" in method.annotations or method.key.name in _FIXTURES | _OF_OBJECT:
            return True
        return foreign and not method.modifiers & {"private", "static"}

    def _has_foreign_parent(self, place: PlacedType, seen: frozenset[tuple[str, str]] = frozenset()) -> bool:
        """Whether a super class or interface is declared outside the test sources, so that others may call methods.

        Annotations have such an interface unsaid: who looks one up reads the values of its elements.
        """
        if place.type.kind == "annotation":
            return True
        parents = [name for name in (place.type.superclass, *place.type.interfaces) if name]
        named = [self._types_named(name.split("."), place) for name in parents]
        if not all(named):
            return True
        known = seen | {(place.file.path, place.type.name)}
        above = [one for found in named for one in found if (one.file.path, one.type.name) not in known]
        return any(self._has_foreign_parent(one, known) for one in above)

    def _read_member(self, member: Reached, place: PlacedType) -> None:
        if (member.name, member.path) not in self.found:
            self.found[member.name, member.path] = member
            self._read(f"{member.annotations} {member.text}", place, member.key.name if member.key else "")

    def _read(self, text: str, place: PlacedType, declared: str) -> None:
        """Take up the names of a text: types, calls, words, literals, and static imports of the file that it uses.

        Args:
            declared: the name of the method that the text declares; "" of anything else.
        """
        names = _names_of(text, declared)
        self._words |= names.words
        self._calls |= names.calls
        self._own_calls |= names.own_calls
        self._literals |= names.literals
        for dotted in names.dotted:
            for named in self._types_named(dotted, place):
                self._add_type(named)
        for imported in place.file.imports:
            owner, _, member = imported.removeprefix("static ").rpartition(".")
            if imported.startswith("static ") and (member == "*" or member in names.words):
                self._owners.add(owner.rpartition(".")[2])
                found = self._sources.names.declared(owner, place)
                if found is not None:
                    self._add_type(found)

    def _types_named(self, dotted: Iterable[str], place: PlacedType) -> list[PlacedType]:
        """The types that a dotted name goes through; a member type by its simple name wherever it is declared."""
        found = []
        for position, word in enumerate(dotted):
            same_name = self._sources.by_simple_name.get(word)
            if not same_name:
                continue
            canonical = self._sources.names.canonical(word, place, ()) if position == 0 else None
            meant = self._sources.names.declared(canonical, place) if canonical else None
            if meant is not None:
                found.append(meant)
            elif position > 0 or not any(line.rpartition(".")[2] == word for line in place.file.imports):
                found += [one for one in same_name if position > 0 or "$" in one.type.name]
        return found


@dataclass(frozen=True)
class _Names:
    words: frozenset[str]
    calls: frozenset[str]
    own_calls: frozenset[str]
    """Of them those without another object or type in front; a declaration does not call itself."""
    dotted: tuple[tuple[str, ...], ...]
    literals: frozenset[str]


@lru_cache(maxsize=1 << 15)
def _names_of(text: str, declared: str = "") -> _Names:
    """The names in a text of tokens. A literal that spells a method (`"rows"`, `"p.Rows#all"`) calls it.

    `declared` is the name of the method that the text declares, which stands in front of all its calls.
    """
    tokens = tokens_of(text.encode())
    words, calls, own_calls, literals = set(), set(), set(), set()
    dotted: list[tuple[str, ...]] = []
    for position, token in enumerate(tokens):
        if token.startswith(b'"'):
            literal = decoded(token).strip('"')
            literals.add(literal)
            owner, hash_sign, name = literal.rpartition("#")
            calls.add(name)
            own_calls.add(name)
            words.add(name)
            if hash_sign:
                dotted.append(tuple(owner.replace("$", ".").split(".")))
        elif is_word(token):
            word = decoded(token)
            words.add(word)
            after, before = tokens[position + 1 : position + 2], tokens[max(0, position - 1) : position]
            if after == [b"("] or before == [b"::"]:
                calls.add(word)
                if word == declared:
                    declared = ""
                elif before not in ([b"."], [b"::"]) or tokens[position - 2] in (b"this", b"super"):
                    own_calls.add(word)
            dotted.append((*dotted.pop(), word) if before == [b"."] and dotted else (word,))
    called = frozenset(calls), frozenset(own_calls)
    return _Names(frozenset(words), *called, tuple(dict.fromkeys(dotted)), frozenset(literals))


def literals_of(file: JavaFile, methods: Collection[MethodKey]) -> frozenset[str]:
    """The string literals in those methods that a file declares, and in the fields of the file that they name."""
    read = [_names_of(method.tokens) for method in file.methods if method.key in methods]
    words = frozenset[str]().union(*(names.words for names in read))
    read += [_names_of(one.tokens) for one in file.fields if not words.isdisjoint(one.names)]
    return frozenset[str]().union(*(names.literals for names in read))


def _of_type(place: PlacedType) -> Reached:
    declared = place.type
    parents = " ".join(
        (declared.superclass or "", "implements", *declared.interfaces, declared.components, *declared.constants)
    )
    text = f"{declared.kind} {parents}"
    return Reached(declared.name, place.file.path, text, declared.annotation_text, imports=place.file.imports)


def _of_method(method: JavaMethod, place: PlacedType) -> Reached:
    key = None if place.type.kind == "annotation" else method.key
    return Reached(str(method.key), place.file.path, method.tokens, method.annotation_text, key, place.file.imports)


def _of_field(one: JavaField, place: PlacedType) -> Reached:
    name = ",".join(one.names) or f"initialiser {one.number}"
    return Reached(f"{one.type_name}#{name}", place.file.path, one.tokens, imports=place.file.imports)

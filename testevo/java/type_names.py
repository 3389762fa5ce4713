"""Resolve a type name in a file to a declared type, within the files at hand."""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from os.path import commonpath

from testevo.java.declarations import JavaFile, JavaMethod, JavaType


@dataclass(frozen=True)
class PlacedType:
    """A type, the file that declares it, and the methods it declares."""

    file: JavaFile
    type: JavaType
    methods: tuple[JavaMethod, ...]


class TypeNames:
    """The types of some files, found by canonical name (`a.b.Outer.Inner`) or as written somewhere in a file."""

    def __init__(self, files: Mapping[str, JavaFile]) -> None:
        self._by_name: dict[str, list[PlacedType]] = defaultdict(list)
        for _, file in sorted(files.items()):
            methods: dict[str, list[JavaMethod]] = defaultdict(list)
            for method in file.methods:
                methods[method.key.type_name].append(method)
            for declared in file.types:
                placed = PlacedType(file, declared, tuple(methods[declared.name]))
                self._by_name[declared.name.replace("$", ".")].append(placed)

    def __iter__(self) -> Iterator[PlacedType]:
        for placed in self._by_name.values():
            yield from placed

    def canonical(self, name: str, place: PlacedType, library: Collection[str]) -> str | None:
        """The canonical name meant by `name` as written in `place`; None when it is none of the files' types and
        none of the names in `library`.

        In the order of the language: member types of the type and of those around it, single imports, the package,
        imports on demand, and at last the name itself as a full one.
        """
        return next((found for found in _meanings(name, place) if found in library or found in self._by_name), None)

    def declared(self, canonical: str, near: PlacedType) -> PlacedType | None:
        """The type of that name; of several (copies in other modules) the one with the path most like `near`'s."""
        candidates = self._by_name.get(canonical, [])
        return max(candidates, key=lambda one: len(commonpath([one.file.path, near.file.path])), default=None)


def _meanings(name: str, place: PlacedType) -> Iterator[str]:
    around = place.type.name.replace("$", ".")
    package = f"{place.file.package}." if place.file.package else ""
    while len(around) > len(package) and around:
        yield f"{around}.{name}"
        around = around.rpartition(".")[0]
    head = name.partition(".")[0]
    imports = [line.removeprefix("static ") for line in place.file.imports]
    for line, imported in zip(place.file.imports, imports, strict=True):
        if imported.rpartition(".")[2] == head:
            yield imported + name[len(head) :]
            if line == imported:
                return  # the import of a type hides all types of this name that the lines below would find
    yield package + name
    for imported in imports:
        if imported.endswith(".*"):
            yield imported[:-1] + name
    yield name

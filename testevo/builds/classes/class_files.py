"""The little of class files that running tests needs: names, methods, annotations, source file.

Format: The Java Virtual Machine Specification, chapter 4. Tests are selected by erased parameter types, which only byte
code knows for certain.
"""

import struct
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from testevo.builds.classes.class_names import can_be_file

ACC_PUBLIC, ACC_PRIVATE, ACC_STATIC = 0x0001, 0x0002, 0x0008
ACC_INTERFACE, ACC_ABSTRACT, ACC_SYNTHETIC = 0x0200, 0x0400, 0x1000
_BRIDGE = 0x0040
_MAGIC = b"\xca\xfe\xba\xbe"
_NAMED = (7, 19)
"""Classes and modules: entries that refer to their name."""
_WIDTHS = {3: 4, 4: 4, 5: 8, 6: 8, 9: 4, 10: 4, 11: 4, 12: 4, 15: 3, 16: 2, 17: 4, 18: 4, 7: 2, 8: 2, 19: 2, 20: 2}


@dataclass(frozen=True)
class ClassMethod:
    """A method of a class file; `annotations` are binary names (`org.junit.Test`)."""

    name: str
    descriptor: str
    access: int
    annotations: tuple[str, ...]

    @property
    def synthetic(self) -> bool:
        return bool(self.access & (ACC_SYNTHETIC | _BRIDGE))


@dataclass(frozen=True)
class ClassField:
    """A field of a class file."""

    name: str
    access: int


@dataclass(frozen=True)
class ClassFile:
    """A class file; `name` and `supers` are binary names (`a.b.Outer$Inner`)."""

    name: str
    access: int
    super_name: str | None
    interfaces: tuple[str, ...]
    methods: tuple[ClassMethod, ...]
    annotations: tuple[str, ...]
    source_file: str | None
    fields: tuple[ClassField, ...] = ()
    """With the constants of an enumeration."""

    @property
    def concrete(self) -> bool:
        return not self.access & (ACC_ABSTRACT | ACC_INTERFACE | ACC_SYNTHETIC)


@lru_cache(maxsize=2048)
def read_class(data: bytes) -> ClassFile:
    """Read a class file; those read last are remembered, since few differ from commit to commit.

    Raises:
        ValueError: the bytes are not a class file.
    """
    try:
        return ClassReader(data).read()
    except (struct.error, IndexError, KeyError, UnicodeDecodeError) as error:
        raise ValueError(f"not a class file: {error}") from error


class ClassReader:
    """Reads the bytes of one class file.

    Raises:
        ValueError: the bytes do not begin as a class file does.
    """

    def __init__(self, data: bytes) -> None:
        if data[:4] != _MAGIC:
            raise ValueError("not a class file: wrong magic number")
        self.data = data
        self.at = 8
        self.pool: dict[int, bytes | int] = {}
        self.attributes: dict[str, bytes] = {}
        """Of the class itself, once it is read."""

    def read(self) -> ClassFile:
        """See `read_class`, which catches what damaged files raise here."""
        self._constants()
        access, this, parent = self._take(">HHH")
        interfaces = tuple(self.named(self._short()) for _ in range(self._short()))
        fields = []
        for _ in range(self._short()):
            field_access, name, _ = self._take(">HHH")
            fields.append(ClassField(self._text(name), field_access))
            self._attributes()
        methods = []
        for _ in range(self._short()):
            method_access, name, descriptor = self._take(">HHH")
            attributes = self._attributes()
            methods.append(
                ClassMethod(self._text(name), self._text(descriptor), method_access, self._annotations(attributes))
            )
        attributes = self.attributes = self._attributes()
        source = attributes.get("SourceFile")
        return ClassFile(
            self.named(this),
            access,
            self.named(parent) if parent else None,
            interfaces,
            tuple(methods),
            self._annotations(attributes),
            self._text(struct.unpack(">H", source)[0]) if source else None,
            tuple(fields),
        )

    def _take(self, layout: str) -> tuple[int, ...]:
        values = struct.unpack_from(layout, self.data, self.at)
        self.at += struct.calcsize(layout)
        return values

    def _short(self) -> int:
        return self._take(">H")[0]

    def _constants(self) -> None:
        count = self._short()
        index = 1
        while index < count:
            tag = self.data[self.at]
            self.at += 1
            if tag == 1:
                length = self._short()
                self.pool[index] = self.data[self.at : self.at + length]
                self.at += length
            else:
                if tag in _NAMED:
                    self.pool[index] = struct.unpack_from(">H", self.data, self.at)[0]
                self.at += _WIDTHS[tag]
            # Long and Double take two entries (JVM specification 4.4.5).
            index += 2 if tag in (5, 6) else 1

    def _text(self, index: int) -> str:
        value = self.pool[index]
        if not isinstance(value, bytes):
            raise ValueError("not a class file: a name is not text")
        text = value.decode("utf-8", "surrogatepass")
        # Letters outside the basic plane are two surrogates there (JVM specification 4.4.7).
        return text if text.isascii() else text.encode("utf-16", "surrogatepass").decode("utf-16")

    def named(self, index: int) -> str:
        """The name of a class or a module in the pool of constants."""
        value = self.pool[index]
        if not isinstance(value, int):
            raise ValueError("not a class file: a class or module has no name")
        return self._text(value).replace("/", ".")

    def _attributes(self) -> dict[str, bytes]:
        attributes = {}
        for _ in range(self._short()):
            name, length = self._take(">HI")
            attributes[self._text(name)] = self.data[self.at : self.at + length]
            self.at += length
        return attributes

    def _annotations(self, attributes: dict[str, bytes]) -> tuple[str, ...]:
        content = attributes.get("RuntimeVisibleAnnotations")
        if content is None:
            return ()
        names, at = [], 2
        for _ in range(struct.unpack_from(">H", content)[0]):
            type_index, pairs = struct.unpack_from(">HH", content, at)
            names.append(_type_of_descriptor(self._text(type_index)))
            at += 4
            for _ in range(pairs):
                at = _skip_element(content, at + 2)
        return tuple(names)


def _type_of_descriptor(descriptor: str) -> str:
    return descriptor.removeprefix("L").removesuffix(";").replace("/", ".")


def _skip_element(content: bytes, at: int) -> int:
    """The offset behind the element value at `at` (JVM specification 4.7.16.1)."""
    tag = chr(content[at])
    at += 1
    if tag == "e":
        return at + 4
    if tag == "@":
        pairs = struct.unpack_from(">H", content, at + 2)[0]
        at += 4
        for _ in range(pairs):
            at = _skip_element(content, at + 2)
        return at
    if tag == "[":
        count = struct.unpack_from(">H", content, at)[0]
        at += 2
        for _ in range(count):
            at = _skip_element(content, at)
        return at
    return at + 2


class ClassPath:
    """Finds classes by binary name in folders and jars, in order. Classes of the JDK are not found."""

    def __init__(self, entries: Sequence[Path]) -> None:
        self._entries = tuple(entries)
        self._found: dict[str, ClassFile | None] = {}
        self._jars: dict[Path, zipfile.ZipFile | None] = {}

    def _jar(self, entry: Path) -> zipfile.ZipFile | None:
        """Opened when a class is looked for in it: most are found in a folder before."""
        if entry not in self._jars:
            self._jars[entry] = zipfile.ZipFile(entry) if zipfile.is_zipfile(entry) else None
        return self._jars[entry]

    def find(self, name: str) -> ClassFile | None:
        """The class with this binary name, or None."""
        if name.startswith("java.") or not can_be_file(name):
            return None  # only the JDK may have classes there
        if name not in self._found:
            data = self._bytes(name.replace(".", "/") + ".class")
            self._found[name] = None if data is None else read_class(data)
        return self._found[name]

    def find_written(self, name: str) -> ClassFile | None:
        """The class of a binary name, or of one as Java code writes it, with dots before member classes."""
        for _ in range(1 + min(name.count("."), 10)):
            if (found := self.find(name)) is not None:
                return found
            name = "$".join(name.rsplit(".", 1))
        return None

    def _bytes(self, member: str) -> bytes | None:
        for entry in self._entries:
            if entry.is_dir():
                file = entry / member
                if file.is_file():
                    return file.read_bytes()
            elif (jar := self._jar(entry)) is not None:
                try:
                    return jar.read(member)
                except KeyError:
                    continue
        return None

    def hierarchy(self, name: str) -> Iterator[ClassFile]:
        """The class and its super types, nearest first, as far as they lie on this class path."""
        waiting, seen = [name], set()
        while waiting:
            current = waiting.pop(0)
            if current in seen:
                continue
            seen.add(current)
            found = self.find(current)
            if found is not None:
                yield found
                waiting += [found.super_name] if found.super_name else []
                waiting += found.interfaces

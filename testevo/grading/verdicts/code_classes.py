"""The production classes and members of the old code and the new, by which a look-up on the old code is judged."""

from collections.abc import Callable
from dataclasses import dataclass

from testevo.builds.classes.class_files import ClassPath
from testevo.builds.engine import BuiltTree

_JDK = ("java.", "javax.", "jdk.", "sun.")


@dataclass(frozen=True)
class CodeClasses:
    """What a look-up on the old code is judged by."""

    is_production: Callable[[str], bool] = lambda name: not name.startswith(_JDK)
    """Whether a class, by its binary name, is code of the project at the old revision."""
    is_added: Callable[[str], bool] = lambda name: False
    """Whether the new code has a class and the old code lacks it."""
    is_added_member: Callable[[str, str], bool] = lambda type_name, member: False
    """Whether a class of the new code, by its binary or written name, declares a field or a method of a name
    that the old code does not declare there."""

    @classmethod
    def of(cls, old: BuiltTree, new: BuiltTree) -> "CodeClasses":
        """Those of two built revisions."""
        before, after = production_classes(old), production_classes(new)

        def is_production(name: str) -> bool:
            return before.find(name) is not None

        def is_added(name: str) -> bool:
            return before.find(name) is None and after.find(name) is not None

        def is_added_member(type_name: str, member: str) -> bool:
            return member in _members(after, type_name) and member not in _members(before, type_name)

        return cls(is_production, is_added, is_added_member)


def production_classes(tree: BuiltTree) -> ClassPath:
    """Those of all modules of a built revision, without its libraries."""
    return ClassPath([module.production_classes for module in tree.modules])


def _members(classes: ClassPath, type_name: str) -> set[str]:
    found = classes.find_written(type_name)
    if found is None:
        return set()
    return {field.name for field in found.fields} | {method.name for method in found.methods}

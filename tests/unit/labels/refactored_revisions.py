"""Two revisions of some files with reported refactorings, for the tests of what refactorings explain."""

from label_factories import STRICT, facts

from testevo.java.syntax import parse_java
from testevo.labels.dependencies import DependencyLinks
from testevo.labels.judge import judge
from testevo.labels.refactorings.detected import DetectedRefactorings, MethodText
from testevo.labels.refactorings.verdict import refactoring_verdict
from testevo.records.labels import Dependency, Label, Refactoring, RefactoringVerdict
from testevo.records.methods import ChangeKind, TestKey, TestKind
from testevo.revisions.refactorings import file_imports, type_texts

CODE, TEST = "src/main/java/p/A.java", "src/test/java/p/ATest.java"


def methods(files: dict[str, str]) -> dict[str, MethodText]:
    """By `Type#name`."""
    found = {}
    for path, text in files.items():
        for method in parse_java(text.encode(), path).methods:
            found[method.key.short] = MethodText(method.key, path, method.span, method.tokens)
    return found


class Revisions:
    """Two revisions of some files, with refactorings named by their methods."""

    def __init__(self, old: dict[str, str], new: dict[str, str]) -> None:
        self.old, self.new = methods(old), methods(new)
        encoded = [{path: text.encode() for path, text in files.items()} for files in (old, new)]
        self.old_types, self.new_types = map(type_texts, encoded)
        self.old_imports, self.new_imports = map(file_imports, encoded)
        self.refactorings: list[Refactoring] = []

    def refactor(self, kind: str, text: str, *, left: tuple[str, ...] = (), right: tuple[str, ...] = ()) -> "Revisions":
        places = (*(_place("L", self.old[name]) for name in left), *(_place("R", self.new[name]) for name in right))
        self.refactorings.append(Refactoring(kind=kind, description=f"{kind}\t{text}", declarations=places))
        return self

    def judged(
        self,
        *changed: str,
        test: str | None = None,
        moves: frozenset[tuple[str, str]] = frozenset(),
        failure: str | None = None,
    ) -> RefactoringVerdict:
        """The verdict over a test, with the methods below it that changed."""
        detected = DetectedRefactorings(
            tuple(self.refactorings),
            tuple(self.old.values()),
            tuple(self.new.values()),
            self.old_types,
            self.new_types,
            self.old_imports,
            self.new_imports,
            moves,
            failure,
        )
        return refactoring_verdict(self._label(changed, test), detected)

    def _label(self, changed: tuple[str, ...], test: str | None) -> Label:
        links = DependencyLinks(dependencies=tuple(self._dependency(name) for name in changed))
        if test is None:
            return judge(facts(ChangeKind.UNCHANGED, links=links), {}, STRICT)
        new, old = self.new[test], self.old.get(test)
        key = TestKey(module="", path=new.path, type_name=new.key.type_name, name=new.key.name)
        candidate = facts(
            ChangeKind.MODIFIED if old else ChangeKind.INSERTED,
            test=key,
            test_kind=TestKind.JUNIT4,
            links=links,
            old_path=old.path if old else None,
            old_span=old.span if old else None,
            new_span=new.span,
        )
        return judge(candidate, {}, STRICT)

    def _dependency(self, name: str) -> Dependency:
        old, new = self.old.get(name), self.new.get(name)
        kind = ChangeKind.REMOVED if new is None else ChangeKind.INSERTED if old is None else ChangeKind.MODIFIED
        place = new or old
        assert place is not None
        return Dependency(method=place.key, kind=kind, path=place.path, span=place.span)


def _place(side: str, method: MethodText) -> str:
    return f"{side}:{method.path}:{method.span.first_line}-{method.span.last_line}"


def a_class(*members: str, name: str = "A", package: str = "p") -> str:
    return f"package {package};\npublic class {name} {{\n" + "\n".join(members) + "\n}\n"

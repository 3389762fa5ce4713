"""Line coverage of the focal methods, from the very run that gives the verdict (TEB-E09 to E11, V10).

The classes of the focal source files get JaCoCo's probes before the run and go in front of the originals on the class
path; the launcher hands out what the probes noted with its verdicts, and JaCoCo turns that into lines against the
original class files. Only those few classes are slowed down, and no agent has to be loaded; the numbers are those of
the agent, to which tests hold them.
"""

import shutil
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

from testevo.builds.engine import BuiltModule, BuiltTree
from testevo.builds.maven.line_service import ServiceError
from testevo.grading.coverage.coverage_service import CoverageService, Line, SourceFile
from testevo.records.evaluation.grading import Undefined
from testevo.records.labels import Dependency
from testevo.records.methods import ChangeKind
from testevo.records.tasks import Coverage
from testevo.runtime.files.jars import tool_jar

_LINES = "* "
"""Begins the note of entered lines among the notes of the probes."""


@dataclass(frozen=True)
class Measured:
    """Coverage of one run, or why there is none."""

    coverage: Coverage | None = None
    undefined: Undefined | None = None
    entered: Mapping[str, frozenset[int]] | None = None
    """Lines of the focal methods on which a mutant could matter, by repository-relative path: all lines of the methods
    that were entered, also where an exception left them at once. Not entered lines alone: a mutant of `else f();` or
    of the one statement below an `if` changes what happens on others. None when they are not known: then every mutant
    must be run."""


def measured_dependencies(dependencies: Iterable[Dependency]) -> list[Dependency]:
    """The dependencies that have lines at the new revision, each place once."""
    places = {
        (dependency.path, dependency.span): dependency
        for dependency in dependencies
        if dependency.kind is not ChangeKind.REMOVED
    }
    return list(places.values())


class CoverageMeter:
    """Instruments focal classes and reads what a run covered of them.

    Args:
        java_home: JDK of the service; any that can run it, for it loads no class of a project.
        work: folder for instrumented classes; a folder inside it is made and removed by `close`.
    """

    def __init__(self, java_home: Path, work: Path) -> None:
        work.mkdir(parents=True, exist_ok=True)
        self._folder = Path(tempfile.mkdtemp(prefix="instrumented-", dir=work.absolute()))
        self._service = CoverageService(java_home)
        self._instrumented: dict[tuple[SourceFile, ...], _Folder | None] = {}

    def instrumented(self, tree: BuiltTree, dependencies: Sequence[Dependency]) -> BuiltTree | None:
        """`tree` with probes in the classes of the focal source files; None when they cannot be put there."""
        sources = _key(_sources(tree, measured_dependencies(dependencies)))
        if sources and sources not in self._instrumented:
            self._instrumented[sources] = self._instrument(sources)
        made = self._instrumented.get(sources)
        if made is None:
            return None
        return replace(tree, modules=tuple(_with_probes(module, sources, made.folder) for module in tree.modules))

    def measure(self, tree: BuiltTree, dependencies: Sequence[Dependency], probes: Sequence[str] | None) -> Measured:
        """Coverage of the line ranges of the dependencies.

        Args:
            tree: the tree as it was before `instrumented`.
            dependencies: those of one test method (TEB-E10).
            probes: what the run of that test noted; None when it left nothing.
        """
        focal = measured_dependencies(dependencies)
        if not focal:
            return Measured(undefined=Undefined.NO_LINES)
        sources = _sources(tree, focal)
        if probes is None or any(dependency.path not in sources for dependency in focal):
            return Measured(undefined=Undefined.NO_DATA)
        try:
            files = self._service.analyse(sources.values(), [line for line in probes if not line.startswith(_LINES)])
        except ServiceError:
            return Measured(undefined=Undefined.NO_DATA)
        lines = {path: files.get(source.name, []) for path, source in sources.items()}
        if not all(lines.values()):
            return Measured(undefined=Undefined.NO_DATA)  # compiled without line numbers
        made = self._instrumented.get(_key(sources))
        entered = made.entered(probes) if made else None
        by_path = {path: entered[source.name] for path, source in sources.items()} if entered is not None else None
        if by_path is not None and _contradict(focal, lines, by_path):
            return Measured(undefined=Undefined.NO_DATA)  # the test has cleared or filled one of both by reflection
        return Measured(_coverage(focal, lines), None, by_path and _mutable(focal, lines, by_path))

    def close(self) -> None:
        self._service.close()
        shutil.rmtree(self._folder, ignore_errors=True)

    def _instrument(self, sources: tuple[SourceFile, ...]) -> "_Folder | None":
        folder = self._folder / str(len(self._instrumented))
        folder.mkdir()
        try:
            done = self._service.instrument(sources, folder)
        except ServiceError:
            return None
        return _Folder(folder, done.lines) if done.classes else None


@dataclass(frozen=True)
class _Folder:
    """Instrumented classes."""

    folder: Path
    lines: tuple[tuple[str, int], ...]

    def entered(self, probes: Sequence[str]) -> Mapping[str, frozenset[int]] | None:
        """Entered lines by name of the source file; None when the run left no such note, or a forged one."""
        notes = [line.split(" ")[-1] for line in probes if line.startswith(_LINES)]
        if len(notes) != 1 or len(notes[0]) > len(self.lines):
            return None
        found: dict[str, set[int]] = defaultdict(set)
        for (name, line), bit in zip(self.lines, notes[0], strict=False):
            if bit == "1":
                found[name].add(line)
        return defaultdict(frozenset, {name: frozenset(lines) for name, lines in found.items()})


def _coverage(focal: Sequence[Dependency], lines: Mapping[str, Sequence[Line]]) -> Coverage:
    executable = {path: {line.number for line in found} for path, found in lines.items()}
    covered = {path: {line.number for line in found if line.covered} for path, found in lines.items()}
    ranges = [(item.path, _range(item)) for item in focal]
    return Coverage(
        covered=sum(len(numbers & covered[path]) for path, numbers in ranges),
        raw_lines=sum(len(numbers) for _, numbers in ranges),
        executable_lines=sum(len(numbers & executable[path]) for path, numbers in ranges),
    )


def _contradict(
    focal: Sequence[Dependency], lines: Mapping[str, Sequence[Line]], entered: Mapping[str, frozenset[int]]
) -> bool:
    """Whether a method has covered lines and none that was entered, which are noted apart."""
    covered = {path: {line.number for line in found if line.covered} for path, found in lines.items()}
    return any(_range(item) & covered[item.path] and not _range(item) & entered[item.path] for item in focal)


def _mutable(
    focal: Sequence[Dependency], lines: Mapping[str, Sequence[Line]], entered: Mapping[str, frozenset[int]]
) -> Mapping[str, frozenset[int]]:
    """See `Measured.entered`."""
    found: dict[str, frozenset[int]] = dict.fromkeys(lines, frozenset())
    for item in focal:
        numbers = _range(item)
        if numbers & entered[item.path]:
            found[item.path] |= numbers
    return found


def _range(dependency: Dependency) -> set[int]:
    return set(range(dependency.span.first_line, dependency.span.last_line + 1))


def _key(sources: Mapping[str, SourceFile]) -> tuple[SourceFile, ...]:
    return tuple(sorted(set(sources.values())))


def _sources(tree: BuiltTree, dependencies: Iterable[Dependency]) -> dict[str, SourceFile]:
    """The focal source files by repository-relative path; the package is the declared one, whatever the folder."""
    found = {}
    for dependency in dependencies:
        module = tree.module_of(dependency.path)
        if module is not None:
            package = dependency.method.type_name.rpartition(".")[0].replace(".", "/")
            name = PurePosixPath(dependency.path).name
            found[dependency.path] = SourceFile(str(module.production_classes.absolute()), package, name)
    return found


def _with_probes(module: BuiltModule, sources: Sequence[SourceFile], folder: Path) -> BuiltModule:
    """`module` with the instrumented classes in front of the originals, where it sees these at all.

    All on the class path: the classes of a named module would come from its own place.
    """
    originals = {Path(source.folder) for source in sources}
    places = [place for place, entry in enumerate(module.class_path) if entry.absolute() in originals]
    if not places:
        return module
    before, after = module.class_path[: places[0]], module.class_path[places[0] :]
    class_path = (*before, folder, *after, tool_jar("coverage-probes"))
    return replace(module, class_path=class_path, class_path_keys=(), named=None)

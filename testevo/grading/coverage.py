"""Line coverage of the focal methods, from the very run that gives the verdict (TEB-E09 to E11, V10).

The classes of the focal source files get JaCoCo's probes before the run and go in front of the originals on the class
path; the launcher hands out what the probes noted with its verdicts, and JaCoCo turns that into lines against the
original class files. Only those few classes are slowed down, and no agent has to be loaded; the numbers are those of
the agent, to which tests hold them.
"""

import shutil
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath

from testevo.build.engine import BuiltModule, BuiltTree
from testevo.build.line_service import ServiceError
from testevo.grading.coverage_service import CoverageService, Line, SourceFile
from testevo.ground.jars import tool_jar
from testevo.records.grading import Undefined
from testevo.records.labels import Dependency
from testevo.records.methods import ChangeKind
from testevo.records.tasks import Coverage


@dataclass(frozen=True)
class Measured:
    """Coverage of one run, or why there is none."""

    coverage: Coverage | None = None
    undefined: Undefined | None = None
    covered: Mapping[str, frozenset[int]] | None = None
    """All covered lines of the focal source files, by repository-relative path: mutants elsewhere need no run."""
    executable: Mapping[str, frozenset[int]] = field(default_factory=dict)
    """All lines with byte code of these files."""


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
        self._folder = Path(tempfile.mkdtemp(prefix="instrumented-", dir=work))
        self._service = CoverageService(java_home)
        self._instrumented: dict[tuple[SourceFile, ...], Path | None] = {}

    def instrumented(self, tree: BuiltTree, dependencies: Sequence[Dependency]) -> BuiltTree | None:
        """`tree` with probes in the classes of the focal source files; None when they cannot be put there."""
        sources = tuple(sorted(set(_sources(tree, measured_dependencies(dependencies)).values())))
        if sources not in self._instrumented:
            self._instrumented[sources] = self._instrument(sources)
        folder = self._instrumented[sources]
        if folder is None:
            return None
        return replace(tree, modules=tuple(_with_probes(module, sources, folder) for module in tree.modules))

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
            files = self._service.analyse(sources.values(), probes)
        except ServiceError:
            return Measured(undefined=Undefined.NO_DATA)
        lines = {path: files.get(source.name, []) for path, source in sources.items()}
        if not all(lines.values()):
            return Measured(undefined=Undefined.NO_DATA)  # compiled without line numbers
        return _measured(focal, lines)

    def close(self) -> None:
        self._service.close()
        shutil.rmtree(self._folder, ignore_errors=True)

    def _instrument(self, sources: tuple[SourceFile, ...]) -> Path | None:
        folder = self._folder / str(len(self._instrumented))
        folder.mkdir()
        try:
            return folder if self._service.instrument(sources, folder) else None
        except ServiceError:
            return None


def _measured(focal: Sequence[Dependency], lines: Mapping[str, Sequence[Line]]) -> Measured:
    executable = {path: frozenset(line.number for line in found) for path, found in lines.items()}
    covered = {path: frozenset(line.number for line in found if line.covered) for path, found in lines.items()}
    ranges = [(item.path, set(range(item.span.first_line, item.span.last_line + 1))) for item in focal]
    coverage = Coverage(
        covered=sum(len(numbers & covered[path]) for path, numbers in ranges),
        raw_lines=sum(len(numbers) for _, numbers in ranges),
        executable_lines=sum(len(numbers & executable[path]) for path, numbers in ranges),
    )
    return Measured(coverage, None, covered, executable)


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
    """`module` with the instrumented classes in front of the originals, where it sees these at all."""
    originals = {Path(source.folder) for source in sources}
    places = [place for place, entry in enumerate(module.class_path) if entry.absolute() in originals]
    if not places:
        return module
    before, after = module.class_path[: places[0]], module.class_path[places[0] :]
    return replace(module, class_path=(*before, folder, *after, tool_jar("coverage-probes")), class_path_keys=())

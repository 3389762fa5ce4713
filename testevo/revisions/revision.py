"""One revision seen as methods: syntax, byte code and declared tests of both sides."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import cached_property, lru_cache
from pathlib import PurePosixPath

from testevo.builds.compilation.byte_code import ByteCode
from testevo.builds.engine import BuiltModule, BuiltTree
from testevo.java.changes import PlacedMethod
from testevo.java.reach import TestSources
from testevo.java.syntax import JavaFile
from testevo.java.tests import DeclaredTest, find_tests
from testevo.records.methods import MethodKey, Side, TestKey
from testevo.revisions.other_languages import OTHER_LANGUAGES, OtherFile, read_other_file
from testevo.revisions.workspace import Workspace

KEPT_VIEWS = 16


class Revisions:
    """Views of the revisions of a workspace; the ones used last are kept, since neighbours share their ends."""

    def __init__(self, workspace: Workspace) -> None:
        self.workspace = workspace
        self._view = lru_cache(KEPT_VIEWS)(lambda revision: RevisionView(workspace, revision))

    def view(self, revision: str) -> "RevisionView":
        return self._view(revision)


class RevisionView:
    """The methods of a built revision.

    Production and test files are told apart by the source roots of the build, not by path patterns (TEB-M17, M18).
    """

    def __init__(self, workspace: Workspace, revision: str) -> None:
        self.workspace = workspace
        self.revision = revision
        self.blobs: Mapping[str, str] = workspace.git.java_blobs(revision)

    @property
    def tree(self) -> BuiltTree:
        """The built revision; asked for anew each time, because the workspace keeps few checkouts."""
        return self.workspace.built(self.revision)

    @cached_property
    def _modules(self) -> tuple[BuiltModule, ...]:
        return self.tree.modules

    def place(self, path: str) -> tuple[BuiltModule, Side] | None:
        """The module and side of a file by the longest source root above it; None when it belongs to no root."""
        best: tuple[int, BuiltModule, Side] | None = None
        for module in self._modules:
            for side, roots in ((Side.PRODUCTION, module.production_roots), (Side.TEST, module.test_roots)):
                for root in roots:
                    inside = path.startswith(f"{root}/") or root == ""
                    if inside and (best is None or len(root) > best[0]):
                        best = (len(root), module, side)
        return None if best is None else (best[1], best[2])

    def paths(self, side: Side) -> list[str]:
        return [path for path in self._placed if self._placed[path][1] is side]

    @cached_property
    def _placed(self) -> dict[str, tuple[BuiltModule, Side]]:
        places = ((path, self.place(path)) for path in sorted(self.blobs))
        return {path: place for path, place in places if place is not None}

    def file(self, path: str) -> JavaFile:
        place = self._placed.get(path)
        encoding = None if place is None else encoding_of_side(*place)
        return self.workspace.parse(path, self.blobs[path], self.revision, encoding)

    def methods(self, paths: list[str]) -> list[PlacedMethod]:
        """The methods declared in some files of this revision."""
        return [
            PlacedMethod(path, method) for path in paths if path in self._placed for method in self.file(path).methods
        ]

    def declaring(self, methods: Iterable[MethodKey]) -> list[JavaFile]:
        """The production files named like the outermost types of methods, in folders of their packages."""
        wanted = {f"/{method.type_name.partition('$')[0].replace('.', '/')}.java" for method in methods}
        names = {name.rpartition("/")[2] for name in wanted}
        paths = [path for name in sorted(names) for path in self._production_by_name.get(name, ())]
        return [self.file(path) for path in paths if f"/{path}".endswith(tuple(wanted))]

    @cached_property
    def _production_by_name(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = defaultdict(list)
        for path in self.paths(Side.PRODUCTION):
            found[path.rpartition("/")[2]].append(path)
        return dict(found)

    def declares(self, method: MethodKey) -> bool:
        """Whether a production file of the method's package declares it; an annotation processor may have added it."""
        folder = method.type_name.rpartition(".")[0].replace(".", "/")
        paths = [path for path in self.paths(Side.PRODUCTION) if path.rpartition("/")[0].endswith(folder)]
        return any(found.method.key == method for found in self.methods(paths))

    @cached_property
    def tests(self) -> list[DeclaredTest]:
        """All test methods, inherited ones included."""
        return find_tests({path: self.file(path) for path in self.paths(Side.TEST)})

    @cached_property
    def test_sources(self) -> TestSources:
        """The declarations of the test side, asked what tests reach."""
        return TestSources({path: self.file(path) for path in self.paths(Side.TEST)})

    @cached_property
    def test_folders(self) -> frozenset[str]:
        """The folders of tests with their resources, each with a slash behind it."""
        beside = {f"{folder_around(root)}/" for module in self._modules for root in module.test_roots}
        return self.test_resource_folders | beside

    @cached_property
    def production_folders(self) -> frozenset[str]:
        """The folders of production code with its resources, each with a slash behind it."""
        return frozenset(f"{folder_around(root)}/" for module in self._modules for root in module.production_roots)

    @cached_property
    def test_resource_folders(self) -> frozenset[str]:
        """Where class loaders find resources of tests, each with a slash behind it."""
        usual = {f"{folder_around(root)}/resources/" for module in self._modules for root in module.test_roots}
        return frozenset(f"{one}/" for module in self._modules for one in module.test_resource_folders) | usual

    @cached_property
    def other_test_files(self) -> Mapping[str, OtherFile]:
        """The files below `test_folders` in languages whose tests are not read."""
        git = self.workspace.git
        paths = [path for path in git.paths(self.revision) if path.endswith(OTHER_LANGUAGES)]
        below = [path for path in paths if path.startswith(tuple(self.test_folders))]
        return {path: read_other_file(path, source) for path, source in git.read_many(self.revision, below).items()}

    def test_key(self, test: DeclaredTest) -> TestKey:
        place = self.place(test.path)
        parameters = test.method.key.parameters
        return TestKey(
            module=place[0].path if place else "",
            path=test.path,
            type_name=test.type_name,
            name=test.method.key.name,
            parameters=parameters,
        )

    def byte_code(self, side: Side) -> ByteCode:
        """Digests of all methods of one side."""
        return self.workspace.byte_code.of(self.tree, side)


def folder_around(root: str) -> str:
    """`src/test` for `src/test/java`: Maven keeps resources beside the sources."""
    path = PurePosixPath(root)
    return path.parent.as_posix() if path.name == "java" and path.parent.name else root


def encoding_of_side(module: BuiltModule, side: Side) -> str:
    """The encoding of the sources of one side of a module."""
    return module.test_encoding if side is Side.TEST else module.production_encoding

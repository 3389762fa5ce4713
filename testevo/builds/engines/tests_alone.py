"""Compile the tests of an edited revision beside the production classes that Maven has made of it (docs/builds.md).

Where only goals of production code need Maven, an edited test need not wait for them. Two comparisons with Maven show
that this gives the same classes: of the tests of each such revision, and of the first edit of each way of building.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from testevo.builds.compilation.compiling import NeedsMaven
from testevo.builds.compilation.production_by_maven import ProductionByMaven, production_by_maven, replaces_tests_only
from testevo.builds.engine import BuildResult, BuiltTree
from testevo.builds.engines.direct_compilation import DirectCompilation, compile_error
from testevo.builds.engines.equal_class_folders import EqualClassFolders
from testevo.builds.engines.maven_engine import MavenEngine
from testevo.builds.maven.line_service import ServiceError
from testevo.builds.model.model import MODEL_VERSION, BuildModel
from testevo.builds.preparation import Preparation
from testevo.runtime.files.files import content_key
from testevo.runtime.files.whole_files import write_once

_EQUAL = "equal"


@dataclass(frozen=True)
class ProvenBase:
    """A revision that Maven has built, and beside whose production classes tests can be compiled."""

    prepared: Preparation
    made: ProductionByMaven
    kept: Path
    """Where it stands what was found of its way of building."""


class TestsAlone:
    """Builds variants of revisions that Maven has built."""

    __test__ = False

    def __init__(
        self,
        compilation: DirectCompilation,
        reference: MavenEngine,
        class_folders: EqualClassFolders,
        procedure: Callable[[Preparation, BuildModel], str],
    ) -> None:
        """`procedure`: names a way of building."""
        self._compilation = compilation
        self._context = compilation.context
        self._reference = reference
        self._class_folders = class_folders
        self._procedure = procedure
        self._known: dict[str, ProvenBase | None] = {}
        """By the revision and the key of a checkout."""

    def proven(self, base: BuiltTree, replaced: Mapping[str, bytes | None]) -> ProvenBase | None:
        """The base, where the tests of a variant can be compiled alone; None where Maven has to.

        The tests of the revision itself must come out of it as Maven has made them.
        """
        if not replaces_tests_only(base, replaced):
            return None
        key = content_key(base.checkout.revision, base.checkout.key)
        folder = self._context.folder_of(base.checkout, "by-maven", key)
        if key not in self._known or not folder.is_dir():
            prepared, model = self._context.model_of(base)
            made = production_by_maven(base, folder)
            name = content_key("1", str(MODEL_VERSION), self._context.local.maven, self._procedure(prepared, model))
            known = ProvenBase(prepared, made, self._context.cache / "models" / "tests-alone" / name)
            self._known[key] = known if self._makes_equal_tests(base, known) else None
        return self._known[key]

    def build(self, base: ProvenBase, replaced: Mapping[str, bytes | None], seconds: float) -> BuildResult:
        """A variant; the first of each way of building is built by Maven, too, which shows that edited tests leave
        production classes as they were. What was found is kept.

        Args:
            base: its revision.
            replaced: sources and resources of tests.
            seconds: limit of the compiler.

        Raises:
            NeedsMaven: Maven makes something else of it, or has made of another one.
            ServiceError: the compiler gave no answer in time.
        """
        result = self._compiled(base, replaced, seconds)
        if not base.kept.is_file():
            by_maven = self._reference.build_prepared(base.prepared, replaced)
            difference = self._difference(result, by_maven)
            if result.built and by_maven.built:
                write_once(base.kept, (difference or _EQUAL).encode())
            elif by_maven.outcome is result.outcome:
                return result
            else:
                raise NeedsMaven(f"an edit ends otherwise by Maven: {difference}")
        if (found := base.kept.read_text("utf-8")) != _EQUAL:
            raise NeedsMaven(f"tests that are compiled alone differ from those of Maven: {found}")
        return result

    def _makes_equal_tests(self, base: BuiltTree, known: ProvenBase) -> bool:
        try:
            alone = self._compiled(known, {}, self._context.seconds)
        except (NeedsMaven, ServiceError):
            return False
        return self._difference(alone, BuildResult(alone.outcome, tree=base)) is None

    def _compiled(self, base: ProvenBase, replaced: Mapping[str, bytes | None], seconds: float) -> BuildResult:
        prepared, made = base.prepared, base.made
        compiler = self._compilation.compiler(prepared, made.model, made.folder, seconds, made.trees)
        compiled = self._compilation.compiled(compiler, replaced)
        if compiled.failed is not None:
            return prepared.describe(compile_error(prepared, compiler, compiled))
        return self._compilation.built(prepared, prepared.checkout, replaced, compiler, compiled)

    def _difference(self, result: BuildResult, by_maven: BuildResult) -> str | None:
        """The first file of the class folders that Maven has made otherwise, or how Maven ended; None if all is
        equal."""
        if result.tree is None or by_maven.tree is None:
            return f"Maven says {by_maven.outcome.value}, and the compiler {result.outcome.value}"
        direct, maven = self._class_folders.facts(result.tree, by_maven.tree, of_plugins=True)
        return next((path for path in sorted({*direct, *maven}) if direct.get(path) != maven.get(path)), None)

"""Compile the tests of an edited revision beside the production classes that Maven has made of it (docs/builds.md).

Where only goals of production code need Maven, an edited test need not wait for them. Two comparisons with Maven show
that this gives the same classes: of the tests of each such revision, and of the first edit of each way of building.
"""

from collections.abc import Mapping

from testevo.builds.compilation.compiling import NeedsMaven
from testevo.builds.compilation.production_by_maven import ProductionByMaven, production_by_maven, replaces_tests_only
from testevo.builds.engine import BuildResult, BuiltTree
from testevo.builds.engines.direct_compilation import DirectCompilation, compile_error
from testevo.builds.engines.maven_engine import MavenEngine
from testevo.builds.maven.line_service import ServiceError
from testevo.builds.model.model import MODEL_VERSION
from testevo.builds.preparation import Preparation
from testevo.runtime.files.files import content_key
from testevo.runtime.files.whole_files import write_once

_EQUAL = "equal"


class TestsAlone:
    """Builds variants of revisions that Maven has built."""

    __test__ = False

    def __init__(self, compilation: DirectCompilation, reference: MavenEngine) -> None:
        self._compilation = compilation
        self._context = compilation.context
        self._reference = reference
        self._known: dict[str, ProductionByMaven | None] = {}
        """By the key of a checkout."""

    def production(self, base: BuiltTree, replaced: Mapping[str, bytes | None]) -> ProductionByMaven | None:
        """The production classes beside which the tests of a variant can be compiled; None where Maven has to.

        The tests of the revision itself must come out of it as Maven has made them.
        """
        if not replaces_tests_only(base, replaced):
            return None
        key = base.checkout.key
        if key not in self._known:
            made = production_by_maven(base, self._context.work / "by-maven" / key)
            self._known[key] = made if self._makes_equal_tests(base, made) else None
        return self._known[key]

    def build(
        self,
        prepared: Preparation,
        made: ProductionByMaven,
        replaced: Mapping[str, bytes | None],
        procedure: str,
        seconds: float,
    ) -> BuildResult:
        """A variant; the first of each way of building is built by Maven, too, which shows that edited tests leave
        production classes as they were. What was found is kept.

        Args:
            prepared: its base.
            made: of its base.
            replaced: sources and resources of tests.
            procedure: the way of building.
            seconds: limit of the compiler.

        Raises:
            NeedsMaven: Maven makes something else of it, or has made of another one.
            ServiceError: the compiler gave no answer in time.
        """
        result = self._compiled(prepared, made, replaced, seconds)
        kept = self._context.cache / "models" / "tests-alone" / content_key("1", str(MODEL_VERSION), procedure)
        if not kept.is_file():
            by_maven = self._reference.build_prepared(prepared, replaced)
            difference = self._difference(result, by_maven)
            if result.built and by_maven.built:
                write_once(kept, (difference or _EQUAL).encode())
            elif by_maven.outcome is result.outcome:
                return result
            else:
                raise NeedsMaven(f"an edit ends otherwise by Maven: {difference}")
        if (found := kept.read_text("utf-8")) != _EQUAL:
            raise NeedsMaven(f"tests that are compiled alone differ from those of Maven: {found}")
        return result

    def _makes_equal_tests(self, base: BuiltTree, made: ProductionByMaven) -> bool:
        prepared = self._context.model_of(base)[0]
        try:
            alone = self._compiled(prepared, made, {}, self._context.seconds)
        except (NeedsMaven, ServiceError):
            return False
        return self._difference(alone, BuildResult(alone.outcome, tree=base)) is None

    def _compiled(
        self, prepared: Preparation, made: ProductionByMaven, replaced: Mapping[str, bytes | None], seconds: float
    ) -> BuildResult:
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
        direct, maven = self._compilation.class_folders(result.tree, by_maven.tree, of_plugins=True)
        return next((path for path in sorted({*direct, *maven}) if direct.get(path) != maven.get(path)), None)

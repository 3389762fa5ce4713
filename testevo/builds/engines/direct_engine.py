"""The default engine: Maven once per build fingerprint, javac in a warm JVM for everything else."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace

from testevo.builds.compilation.compiling import NeedsMaven
from testevo.builds.compilation.worker import Worker
from testevo.builds.context import BuildContext, failed
from testevo.builds.engine import BuildResult, BuiltTree, Checkout
from testevo.builds.engines.direct_compilation import NAME, DirectCompilation, compile_error
from testevo.builds.engines.equal_class_folders import EqualClassFolders
from testevo.builds.engines.maven_engine import MavenEngine
from testevo.builds.engines.surefire_warm_up import is_warm, warm_up_surefire
from testevo.builds.engines.tests_alone import TestsAlone
from testevo.builds.kept_builds import KeptBuilds
from testevo.builds.maven.line_service import ServiceError, ServiceTimeoutError
from testevo.builds.maven.maven_run import Maven
from testevo.builds.model.build_procedure import build_procedure
from testevo.builds.model.model import BuildModel, is_changed_by
from testevo.builds.model_source import MavenBuild
from testevo.builds.preparation import Preparation
from testevo.builds.project.jdks import Jdk
from testevo.records.verdicts import BuildOutcome
from testevo.runtime.files.files import content_key
from testevo.runtime.files.plain_files import exists


class RefusedAlone(NeedsMaven):
    """The compiler finds errors in a revision, and Maven finds none: the model is that of another revision."""


class DirectEngine:
    """Compiles by itself what it can show to be as Maven has it, and asks Maven for the rest."""

    name = NAME

    def __init__(self, context: BuildContext) -> None:
        self.context = context
        self.reference = MavenEngine(context, runs_surefire=False, kept_builds=KeptBuilds(context.cache / "builds"))
        self._compilation = DirectCompilation(context)
        self._class_folders = EqualClassFolders(self._compilation)
        self._tests_alone = TestsAlone(self._compilation, self.reference, self._class_folders, self._procedure)
        self._refused_alone: dict[str, str] = {}
        """By the key of a checkout, the reason of its `RefusedAlone`: Maven compiles its variants as well."""
        self._built_by_maven: dict[tuple[str, str], BuildResult] = {}
        """By revision and the key of a tree, what Maven has made of it for Surefire."""

    def build(self, checkout: Checkout) -> BuildResult:
        return self.context.with_fitting_jdk(checkout, lambda prepared: self._build(prepared, checkout, {}))

    def build_variant(
        self, base: BuiltTree, replaced: Mapping[str, bytes | None], seconds: float | None = None
    ) -> BuildResult:
        """Only class trees whose sources or class path differ are compiled."""
        if refused := self._refused_alone.get(base.checkout.key):
            return replace(self.reference.build_variant(base, replaced), fallback=refused)
        prepared = self.context.prepare_again(base)
        if isinstance(prepared, BuildResult):
            return prepared
        if prepared.files.decided_by(prepared.checkout.folder, replaced) or self._asks_for(prepared, replaced):
            return self.build(self.context.variant_checkout(base.checkout, replaced))
        if proven := self._tests_alone.proven(base, replaced):

            def compile_tests(limit: float) -> BuildResult:
                return self._tests_alone.build(proven, replaced, limit)

            return self._or_by_maven(compile_tests, proven.prepared, replaced, seconds)
        return self._build(prepared, base.checkout, replaced, seconds if base.engine == self.name else None)

    def _asks_for(self, prepared: Preparation, replaced: Mapping[str, bytes | None]) -> bool:
        """Whether a profile, also of a parent in a registry, sees that files come or go."""
        folder = prepared.checkout.folder
        if not any(content is None or not exists(folder / path) for path, content in replaced.items()):
            return False  # as nearly always, and then the model need not be read
        model = self.context.model(prepared)[1].model
        return model is not None and is_changed_by(model, replaced)

    def check(self, built: BuildResult, plugins: Collection[str]) -> BuildResult:
        return self.context.check(built, plugins)

    def fetch(self, checkout: Checkout) -> BuildResult:
        """The model of a checkout is all, which is made by running Maven."""
        return self.context.with_fitting_jdk(checkout, self._fetch)

    def procedure(self, result: BuildResult) -> str | None:
        """The way in which a revision was built (`testevo.builds.model.build_procedure`), for a certificate; None where
        Surefire runs all its tests anyway, or no certificate is asked for.

        What Maven has compiled is one way of its own: our launcher runs its tests, too. So are the modules whose tests
        Surefire runs: a certificate says nothing of them.
        """
        tree = result.tree
        if not self.context.certifies or tree is None or tree.needs_surefire is not None:
            return None
        procedure = self._procedure(*self.context.model_of(tree))
        if tree.surefire:
            procedure = content_key("tested by Surefire", *sorted(tree.surefire), procedure)
        return procedure if result.fallback is None else content_key("compiled by Maven", procedure)

    def _procedure(self, prepared: Preparation, model: BuildModel) -> str:
        folder, skips = prepared.checkout.folder, self.context.skips
        return build_procedure(folder, prepared.project, prepared.options, model, skips)

    def by_maven(self, tree: BuiltTree) -> BuildResult:
        if tree.engine == self.reference.name:
            return self.reference.by_maven(tree)
        key = tree.checkout.revision, tree.key
        known = self._built_by_maven.get(key)
        if known is None:
            known = self.reference.build_prepared(self.context.model_of(tree)[0], tree.replaced)
            if known.built:
                self._built_by_maven[key] = known
        return known

    def for_comparison(self, tree: BuiltTree) -> BuildResult:
        """As `by_maven`, for a certificate; DEPENDENCY_UNAVAILABLE too where Maven may not use the network and Surefire
        needs it."""
        prepared, model = self.context.model_of(tree)
        maven, offline = self.context.maven(prepared), self.context.offline
        warm_up_surefire(prepared, maven, model, self.context.work, offline=offline)
        if offline and not is_warm(prepared, maven):
            missing = f"{tree.checkout}: Surefire runs no test without the network."
            return prepared.describe(BuildResult(BuildOutcome.DEPENDENCY_UNAVAILABLE, missing))
        return self.by_maven(tree)

    def class_folders(self, tree: BuiltTree, reference: BuiltTree) -> tuple[Mapping[str, str], Mapping[str, str]]:
        """What must be equal of the class folders of a tree and of the same revision built by Maven."""
        return self._class_folders.facts(tree, reference)

    def forget(self, revision: str) -> None:
        self._built_by_maven = {key: made for key, made in self._built_by_maven.items() if key[0] != revision}
        self.context.forget(revision)

    def maven(self, tree: BuiltTree) -> Maven:
        return self.context.maven_of(tree)

    def worker(self, jdk: Jdk) -> Worker:
        """The warm compiler of a JDK, started on first use."""
        return self._compilation.worker(jdk)

    def close(self) -> None:
        self._compilation.close()
        self.context.close()

    def _fetch(self, prepared: Preparation) -> BuildResult:
        prepared, known = self.context.model(prepared)
        if known.model is not None and known.model.surefire:
            return self.reference.build_prepared(prepared, {})
        if self.context.certifies and known.model is not None:
            self._fetch_surefire(prepared, known.model)
        result = BuildResult(BuildOutcome.BUILT) if known.failure is None else failed(known.failure)
        return prepared.describe(result)

    def _fetch_surefire(self, prepared: Preparation, model: BuildModel) -> None:
        """Let Surefire get what it needs itself, once for each way of building, so that it can be certified offline."""
        maven, stamp = self.context.maven(prepared), f"surefire-{self._procedure(prepared, model)}"
        if not maven.local.proven(stamp):
            warm_up_surefire(prepared, maven, model, self.context.work)
            if is_warm(prepared, maven):
                maven.local.mark_proven(stamp)

    def _build(
        self,
        prepared: Preparation,
        checkout: Checkout,
        replaced: Mapping[str, bytes | None],
        seconds: float | None = None,
    ) -> BuildResult:
        prepared, known = self.context.model(prepared)
        if known.model is None:
            assert known.failure is not None, "a build without a model has a failure"
            return prepared.describe(failed(known.failure))

        def compile_all(limit: float) -> BuildResult:
            if reason := known.model and (known.model.needs_surefire or known.model.needs_maven):
                raise NeedsMaven(reason)
            return self._compile(prepared, checkout, replaced, known, limit)

        return self._or_by_maven(compile_all, prepared, replaced, seconds)

    def _or_by_maven(
        self,
        compile_by: Callable[[float], BuildResult],
        prepared: Preparation,
        replaced: Mapping[str, bytes | None],
        seconds: float | None,
    ) -> BuildResult:
        """What the compiler says within a limit, or Maven where it cannot tell."""
        checkout, limit = prepared.checkout, seconds or self.context.seconds
        try:
            return compile_by(limit)
        except NeedsMaven as needed:
            if isinstance(needed, RefusedAlone):
                self._refused_alone[checkout.key] = str(needed)
            return replace(self.reference.build_prepared(prepared, replaced), fallback=str(needed))
        except ServiceTimeoutError:
            passed = f"Compiling {checkout} passed the limit of {limit:g} s. "
            passed += f"Raise {'build.seconds' if seconds is None else 'evaluation.build_seconds'}."
            return prepared.describe(BuildResult(BuildOutcome.TIMED_OUT, passed))
        except ServiceError as failure:
            if seconds is not None:
                return prepared.describe(BuildResult(BuildOutcome.BUILD_TOOL_FAILED, f"{checkout}: {failure}."))
            no_answer = f"the compiler worker gave no answer: {failure}"
            return replace(self.reference.build_prepared(prepared, replaced), fallback=no_answer)

    def _compile(
        self,
        prepared: Preparation,
        checkout: Checkout,
        replaced: Mapping[str, bytes | None],
        known: MavenBuild,
        seconds: float,
    ) -> BuildResult:
        assert known.model is not None
        compiler = self._compilation.compiler(prepared, known.model, checkout.folder, seconds)
        compiled = self._compilation.compiled(compiler, replaced)
        if compiled.failed is not None:
            error = compile_error(prepared, compiler, compiled)
            if not replaced and not self.context.is_variant(checkout) and not error.newer:
                self._require_refusal(prepared, known)
            return prepared.describe(error)
        if known.failure is not None and not replaced and not prepared.choice.overridden:
            return prepared.describe(failed(known.failure))  # Maven has the last word on what does not compile
        return self._compilation.built(prepared, checkout, replaced, compiler, compiled)

    def _require_refusal(self, prepared: Preparation, known: MavenBuild) -> None:
        """Ask Maven about a revision in which the compiler finds errors, unless it was asked when the model was read.

        So the verdict on a revision does not depend on which revision with the same build files came first.

        Raises:
            RefusedAlone: Maven finds none.
        """
        if known.failure is None and not self.context.source.refuses(prepared, self.context.maven(prepared)):
            raise RefusedAlone("the compiler of direct finds errors in the sources, and Maven does not")

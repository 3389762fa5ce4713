"""The default engine: Maven once per build fingerprint, javac in a warm JVM for everything else."""

import shutil
import tempfile
import time
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from testevo.builds.assembly import built_tree
from testevo.builds.compilation.class_trees import ClassTreeStore
from testevo.builds.compilation.compiling import Compiled, ModuleCompiler, NeedsMaven
from testevo.builds.compilation.folder_comparison import folder_facts, without_descriptors
from testevo.builds.compilation.incremental import RecentTrees
from testevo.builds.compilation.jar_packages import JarPackages
from testevo.builds.compilation.worker import Worker
from testevo.builds.context import BuildContext, failed
from testevo.builds.engine import BuildResult, BuiltTree, Checkout
from testevo.builds.maven.line_service import ServiceError, ServiceTimeoutError
from testevo.builds.maven.maven_failures import compile_error_reason, newer_jdk, newer_jdk_failure, older_jdk_reason
from testevo.builds.maven.maven_run import Maven
from testevo.builds.maven_engine import MavenEngine
from testevo.builds.model.build_procedure import build_procedure
from testevo.builds.model.model import BuildModel
from testevo.builds.model.sources import SourceView
from testevo.builds.model_source import MavenBuild
from testevo.builds.preparation import Preparation
from testevo.builds.project.jdks import Jdk
from testevo.builds.surefire_warm_up import is_warm, warm_up_surefire
from testevo.records.verdicts import BuildOutcome
from testevo.runtime.files.files import content_key

OUTCOME_BY_SIDE = {"production": BuildOutcome.PRODUCTION_COMPILE_ERROR, "test": BuildOutcome.TEST_COMPILE_ERROR}


class NeedsSurefire(NeedsMaven):
    """Only Surefire runs the tests of this revision as Maven does; the message is the reason."""


class RefusedAlone(NeedsMaven):
    """The compiler finds errors in a revision, and Maven finds none: the model is that of another revision."""


class DirectEngine:
    """Compiles class trees that depend on changed files, and nothing else; keeps them by content."""

    name = "direct"

    def __init__(self, context: BuildContext) -> None:
        self.context = context
        self.reference = MavenEngine(context, runs_surefire=False)
        self._for_surefire = MavenEngine(context)
        """Builds in place, and fetches what Surefire itself needs."""
        self._store = ClassTreeStore(context.cache / "classes")
        self._jars = JarPackages(context.cache / "jar-packages")
        self._recent = RecentTrees() if context.incremental else None
        self._workers: dict[Path, Worker] = {}
        self._refused_alone: dict[str, str] = {}
        """By the key of a checkout, the reason of its `RefusedAlone`: Maven compiles its variants as well."""

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
        if any(map(prepared.files.holds, replaced)):
            return self.build(self.context.variant_checkout(base, replaced))
        return self._build(prepared, base.checkout, replaced, seconds if base.engine == self.name else None)

    def fetch(self, checkout: Checkout) -> BuildResult:
        """The model of a checkout is all, which is made by running Maven."""
        return self.context.with_fitting_jdk(checkout, self._fetch)

    def procedure(self, result: BuildResult) -> str | None:
        """The way in which a revision was built (`testevo.builds.model.build_procedure`), for a certificate; None where
        Surefire runs its tests anyway, or no certificate is asked for.

        What Maven has compiled is one way of its own: our launcher runs its tests, too.
        """
        if not self.context.certifies or result.tree is None or result.tree.surefire is not None:
            return None
        procedure = self._procedure(*self.context.model_of(result.tree))
        return procedure if result.fallback is None else content_key("compiled by Maven", procedure)

    def _procedure(self, prepared: Preparation, model: BuildModel) -> str:
        folder, skips = prepared.checkout.folder, self.context.skips
        return build_procedure(folder, prepared.project, prepared.options, model, skips)

    def by_maven(self, tree: BuiltTree) -> BuildResult:
        """The same revision built by Maven, in place, for Surefire to run its tests; the tree itself where Maven has
        built it.

        Its outcome is DEPENDENCY_UNAVAILABLE too where Maven may not use the network and Surefire needs it.
        """
        prepared, model = self.context.model_of(tree)
        maven = self.context.maven(prepared)
        offline, is_built = self.context.offline, tree.engine == self.reference.name
        if offline or is_built:
            warm_up_surefire(prepared, maven, model, self.context.work, offline=offline)
        if offline and not is_warm(prepared, maven):
            missing = f"{tree.checkout}: Surefire runs no test without the network."
            return prepared.describe(BuildResult(BuildOutcome.DEPENDENCY_UNAVAILABLE, missing))
        if is_built:
            return prepared.describe(BuildResult(BuildOutcome.BUILT, tree=tree))
        return self._for_surefire.build_prepared(prepared, {})

    def class_folders(self, tree: BuiltTree, reference: BuiltTree) -> tuple[Mapping[str, str], Mapping[str, str]]:
        """What must be equal of the class folders of a tree and of the same revision built by Maven."""
        model, worker = self.context.model_of(tree)[1], self.worker(tree.jdk)
        direct, maven = (folder_facts(one, model, worker) for one in (tree, reference))
        return without_descriptors(direct, maven), without_descriptors(maven, direct)

    def maven(self, tree: BuiltTree) -> Maven:
        return self.context.maven_of(tree)

    def worker(self, jdk: Jdk) -> Worker:
        """The warm compiler of a JDK, started on first use."""
        if jdk.home not in self._workers:
            self._workers[jdk.home] = Worker(jdk.home)
        return self._workers[jdk.home]

    def close(self) -> None:
        for worker in self._workers.values():
            worker.close()
        self._workers.clear()
        self.context.close()

    def _fetch(self, prepared: Preparation) -> BuildResult:
        prepared, known = self.context.model(prepared)
        if known.model is not None and known.model.needs_surefire:
            return self._for_surefire.build_prepared(prepared, {})
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
        by_maven = self._for_surefire if known.model.needs_surefire else self.reference
        try:
            if reason := known.model.needs_surefire or known.model.needs_maven:
                raise NeedsMaven(reason)
            return self._compile(prepared, checkout, replaced, known, seconds or self.context.seconds)
        except NeedsMaven as needed:
            if isinstance(needed, RefusedAlone):
                self._refused_alone[checkout.key] = str(needed)
            by_maven = self._for_surefire if isinstance(needed, NeedsSurefire) else by_maven
            return replace(by_maven.build_prepared(prepared, replaced), fallback=str(needed))
        except ServiceTimeoutError:
            limit = f"Compiling {checkout} passed the limit of {seconds or self.context.seconds:g} s. "
            limit += f"Raise {'build.seconds' if seconds is None else 'evaluation.build_seconds'}."
            return prepared.describe(BuildResult(BuildOutcome.TIMED_OUT, limit))
        except ServiceError as failure:
            if seconds is not None:
                return prepared.describe(BuildResult(BuildOutcome.BUILD_TOOL_FAILED, f"{checkout}: {failure}."))
            no_answer = f"the compiler worker gave no answer: {failure}"
            return replace(by_maven.build_prepared(prepared, replaced), fallback=no_answer)

    def _compile(
        self,
        prepared: Preparation,
        checkout: Checkout,
        replaced: Mapping[str, bytes | None],
        known: MavenBuild,
        seconds: float,
    ) -> BuildResult:
        model = known.model
        assert model is not None
        compiler = self._compiler(prepared, model, checkout.folder, seconds)
        self.context.work.mkdir(parents=True, exist_ok=True)
        overlay = Path(tempfile.mkdtemp(prefix="overlay-", dir=self.context.work))
        try:
            compiled = compiler.compile(SourceView(checkout.folder, replaced, overlay))
        finally:
            shutil.rmtree(overlay, ignore_errors=True)
        modules = tuple(module.path for module in model.modules)
        if compiled.failed is not None:
            error = _compile_error(prepared, compiled, modules)
            if not replaced and not self.context.is_variant(checkout) and not error.newer:
                self._require_refusal(prepared, known)
            return prepared.describe(error)
        if known.failure is not None and not replaced and not prepared.choice.overridden:
            return prepared.describe(failed(known.failure))  # Maven has the last word on what does not compile
        folder = self._run_folder(prepared, checkout, replaced)
        compiler = self._compiler(prepared, model, folder, seconds)
        tree = built_tree(
            checkout,
            prepared.choice.jdk,
            model,
            compiler.places,
            lambda text: compiler.entry(text, compiled.trees),
            engine=self.name,
            replaced=replaced,
        )
        if tree.surefire is not None:
            raise NeedsSurefire(tree.surefire)
        return prepared.describe(BuildResult(BuildOutcome.BUILT, tree=tree, modules=modules))

    def _require_refusal(self, prepared: Preparation, known: MavenBuild) -> None:
        """Ask Maven about a revision in which the compiler finds errors, unless it was asked when the model was read.

        So the verdict on a revision does not depend on which revision with the same build files came first.

        Raises:
            RefusedAlone: Maven finds none.
        """
        if known.failure is None and not self.context.source.refuses(prepared, self.context.maven(prepared)):
            raise RefusedAlone("the compiler of direct finds errors in the sources, and Maven does not")

    def _compiler(self, prepared: Preparation, model: BuildModel, folder: Path, seconds: float) -> ModuleCompiler:
        choice = prepared.choice
        source = self.context.source
        return ModuleCompiler(
            model=model,
            places=source.places(self.context.maven(prepared), folder),
            jdk=choice.jdk,
            level=choice.level if choice.overridden else None,
            store=self._store,
            saved=source.saved,
            worker=self.worker(choice.jdk),
            ends=time.monotonic() + seconds,
            jars=self._jars,
            recent=self._recent,
        )

    def _run_folder(self, prepared: Preparation, checkout: Checkout, replaced: Mapping[str, bytes | None]) -> Path:
        """Where tests run: the checkout, or a copy when a file that tests may read by its path is replaced."""
        if all(path.endswith(".java") for path in replaced):
            return checkout.folder
        base = BuiltTree(checkout, prepared.choice.jdk, (), "")
        return self.context.variant_checkout(base, replaced).folder


def _compile_error(prepared: Preparation, compiled: Compiled, modules: tuple[str, ...]) -> BuildResult:
    assert compiled.failed is not None
    side = compiled.failed[1]
    diagnostics = compiled.trees[compiled.failed].outcome.diagnostics
    what = str(prepared.checkout)
    level = next((item for item in diagnostics if item.code.startswith("compiler.err.option.removed")), None)
    if level is not None:
        return BuildResult(BuildOutcome.LEVEL_UNSUPPORTED, f"{what}: {level.message}", diagnostics=diagnostics)
    if not diagnostics:
        said = f"javac failed on {what} without a message."
        return BuildResult(BuildOutcome.BUILD_TOOL_FAILED, said, modules=modules)
    said = "\n".join(item.message for item in diagnostics)
    if newer := newer_jdk(said, prepared.choice.jdk.feature):
        return failed(newer_jdk_failure(newer, what, prepared.choice.jdk.feature, diagnostics))
    if older := older_jdk_reason(said, what, prepared.choice.jdk.feature):
        return BuildResult(BuildOutcome.OLDER_JDK_NEEDED, older, diagnostics=diagnostics)
    reason = compile_error_reason(what, side.capitalize(), diagnostics)
    return BuildResult(OUTCOME_BY_SIDE[side], reason, diagnostics=diagnostics, modules=modules)

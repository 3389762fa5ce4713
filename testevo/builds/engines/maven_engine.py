"""The reference engine: a clean copy of the checkout and `mvn` for everything. Slow, and obviously right.

Where it serves the engine `direct`, what Maven has made of a revision is kept.
"""

import shutil
from collections.abc import Callable, Collection, Mapping
from pathlib import Path

from testevo.builds.assembly import built_tree
from testevo.builds.context import BuildContext, failed, variant_key
from testevo.builds.engine import BuildResult, BuiltTree, Checkout
from testevo.builds.engines.surefire_warm_up import warm_up_surefire
from testevo.builds.kept_builds import KeptBuilds
from testevo.builds.maven.engine_jars import EngineUnavailableError
from testevo.builds.maven.maven_run import Maven
from testevo.builds.model.model import MODEL_VERSION, BuildModel, by_output, fits
from testevo.builds.model_source import MavenBuild
from testevo.builds.preparation import Preparation, settle_level
from testevo.records.verdicts import BuildOutcome
from testevo.runtime.files.files import content_key, file_digest


class MavenEngine:
    """Builds every revision and every variant from nothing with Maven."""

    name = "maven"

    def __init__(
        self, context: BuildContext, *, runs_surefire: bool = True, kept_builds: KeptBuilds | None = None
    ) -> None:
        """An engine of one project.

        Args:
            runs_surefire: whether tests will be run by Maven too, which then needs surefire's own artifacts.
            kept_builds: where builds of revisions are kept; None to let Maven build each time.
        """
        self.context = context
        self.runs_surefire = runs_surefire
        self._kept_builds = kept_builds

    def build(self, checkout: Checkout) -> BuildResult:
        return self.context.with_fitting_jdk(checkout, lambda prepared: self.build_prepared(prepared, {}))

    def check(self, built: BuildResult, plugins: Collection[str]) -> BuildResult:
        return self.context.check(built, plugins)

    def fetch(self, checkout: Checkout) -> BuildResult:
        return self.build(checkout)

    def build_variant(
        self, base: BuiltTree, replaced: Mapping[str, bytes | None], seconds: float | None = None
    ) -> BuildResult:
        prepared = self.context.prepare_again(base)
        if isinstance(prepared, BuildResult):
            return prepared
        if prepared.files.decided_by(prepared.checkout.folder, replaced):
            return self.build(self.context.variant_checkout(base.checkout, replaced))
        return self.build_prepared(prepared, replaced)

    def by_maven(self, tree: BuiltTree) -> BuildResult:
        return BuildResult(BuildOutcome.BUILT, tree=tree)

    def build_prepared(self, prepared: Preparation, replaced: Mapping[str, bytes | None]) -> BuildResult:
        """Build a clean copy with files replaced, with the JDK of `prepared`; the copy is where its tests run."""
        key = variant_key(prepared.checkout, replaced)
        folder = self.context.folder_of(prepared.checkout, "maven", key)
        maven = self.context.maven(prepared)
        try:
            built = self._built(prepared, maven, folder, replaced)
        except EngineUnavailableError as error:
            return prepared.describe(BuildResult(BuildOutcome.DEPENDENCY_UNAVAILABLE, f"{prepared.checkout}: {error}"))
        settled = settle_level(prepared, built.model, self.context.skips)
        if settled is not None:
            return self.build_prepared(settled, replaced)
        if built.failure is not None or built.model is None:
            shutil.rmtree(folder, ignore_errors=True)
            assert built.failure is not None, "a build without a model has a failure"
            return prepared.describe(failed(built.failure))
        places = self.context.source.places(maven, folder)
        model = self.context.with_surefire(prepared.checkout, built.model)
        lookup = _Outputs(model, folder, places.path, key)
        tree = built_tree(
            prepared.checkout,
            maven.jdk,
            model,
            places,
            lookup,
            engine=self.name,
            replaced=replaced,
            maven=maven.command(offline=True),
        )
        if tree.surefire or (self.runs_surefire and not self.context.offline and not replaced):
            warm_up_surefire(prepared, maven, built.model, self.context.work, offline=self.context.offline)
        modules = tuple(module.path for module in model.modules)
        return prepared.describe(BuildResult(BuildOutcome.BUILT, tree=tree, modules=modules))

    def _built(
        self, prepared: Preparation, maven: Maven, folder: Path, replaced: Mapping[str, bytes | None]
    ) -> MavenBuild:
        """By Maven, or as it was kept; of edits, few are built twice."""
        source, checkout, kept = self.context.source, prepared.checkout, self._kept_builds
        if kept is None or replaced or self.context.is_variant(checkout):
            return source.build(prepared, maven, folder, replaced)
        of_maven = (str(MODEL_VERSION), maven.local.key, maven.jdk.version)
        key = content_key("kept build", *of_maven, prepared.fingerprint, checkout.key)
        model = kept.give_back(key, checkout.folder, folder)
        if model is not None and fits(model, source.places(maven, folder)):
            return MavenBuild(model, None)
        built = source.build(prepared, maven, folder)
        if built.model is not None and built.failure is None:
            kept.keep(key, checkout.folder, folder, built.model)
        return built

    def forget(self, revision: str) -> None:
        self.context.forget(revision)

    def maven(self, tree: BuiltTree) -> Maven:
        return self.context.maven_of(tree)

    def close(self) -> None:
        self.context.close()


class _Outputs:
    """Class path entries of a Maven build: output folders in the copy, jars in the local repository."""

    def __init__(self, model: BuildModel, folder: Path, path: Callable[[str], str], key: str) -> None:
        self._model, self._folder, self._path, self._key = model, folder, path, key
        self._outputs = by_output(model)

    def __call__(self, text: str) -> tuple[Path, str] | None:
        path = Path(self._path(text))
        if text in self._outputs:
            path.mkdir(parents=True, exist_ok=True)  # a module without tests has no folder for them
            return path, content_key("maven", self._key, text)
        if path.is_file():
            return path, self._model.jars.get(text) or file_digest(path)
        return (path, content_key("maven", self._key, text)) if path.is_dir() else None

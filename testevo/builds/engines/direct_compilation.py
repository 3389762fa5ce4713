"""Compile revisions by javac in warm JVMs, and keep class trees by content."""

import shutil
import tempfile
import time
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from testevo.builds.assembly import built_tree
from testevo.builds.compilation.class_trees import ClassTree, ClassTreeStore
from testevo.builds.compilation.compiling import Compiled, ModuleCompiler, NeedsMaven
from testevo.builds.compilation.incremental import RecentTrees
from testevo.builds.compilation.jar_packages import JarPackages
from testevo.builds.compilation.worker import Worker
from testevo.builds.context import BuildContext, failed
from testevo.builds.engine import BuildResult, Checkout
from testevo.builds.maven.maven_failures import compile_error_reason, newer_jdk, newer_jdk_failure, older_jdk_reason
from testevo.builds.model.model import BuildModel
from testevo.builds.model.sources import SourceView
from testevo.builds.preparation import Preparation
from testevo.builds.project.jdks import Jdk
from testevo.records.verdicts import BuildOutcome
from testevo.runtime.files.files import content_key

NAME = "direct"
OUTCOME_BY_SIDE = {"production": BuildOutcome.PRODUCTION_COMPILE_ERROR, "test": BuildOutcome.TEST_COMPILE_ERROR}


class DirectCompilation:
    """Compiles class trees that depend on changed files, and nothing else."""

    def __init__(self, context: BuildContext) -> None:
        self.context = context
        self._store = ClassTreeStore(context.cache / "classes")
        self._jars = JarPackages(context.cache / "jar-packages")
        self._recent = RecentTrees() if context.incremental else None
        self._workers: dict[Path, Worker] = {}

    def worker(self, jdk: Jdk) -> Worker:
        """The warm compiler of a JDK, started on first use."""
        if jdk.home not in self._workers:
            self._workers[jdk.home] = Worker(jdk.home)
        return self._workers[jdk.home]

    def close(self) -> None:
        for worker in self._workers.values():
            worker.close()
        self._workers.clear()

    def compiler(
        self,
        prepared: Preparation,
        model: BuildModel,
        folder: Path,
        seconds: float,
        production: Mapping[str, ClassTree] | None = None,
    ) -> ModuleCompiler:
        """What compiles a folder as its build model says.

        Args:
            prepared: the revision, with its JDK.
            model: that of its build.
            folder: with the files of the revision.
            seconds: limit for all of it, from now.
            production: by the path of a module, production classes that are there already.
        """
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
            production=production or {},
        )

    def compiled(self, compiler: ModuleCompiler, replaced: Mapping[str, bytes | None]) -> Compiled:
        """The class trees of the compiler's folder with files replaced.

        Raises:
            NeedsMaven: they cannot be told.
            ServiceError: the worker gave no answer in time.
        """
        self.context.work.mkdir(parents=True, exist_ok=True)
        overlay = Path(tempfile.mkdtemp(prefix="overlay-", dir=self.context.work))
        try:
            return compiler.compile(SourceView(compiler.places.checkout, replaced, overlay))
        finally:
            shutil.rmtree(overlay, ignore_errors=True)

    def built(
        self,
        prepared: Preparation,
        checkout: Checkout,
        replaced: Mapping[str, bytes | None],
        compiler: ModuleCompiler,
        compiled: Compiled,
    ) -> BuildResult:
        """The result of class trees that all compile.

        Raises:
            NeedsMaven: the launcher runs none of its tests as Surefire does.
        """
        folder = self._run_folder(checkout, compiler.places.checkout, replaced)
        compiler = replace(compiler, places=replace(compiler.places, checkout=folder))
        tree = built_tree(
            checkout,
            prepared.choice.jdk,
            compiler.model,
            compiler.places,
            lambda text: compiler.entry(text, compiled.trees),
            engine=NAME,
            replaced=replaced,
        )
        if tree.needs_surefire is not None:
            raise NeedsMaven(tree.needs_surefire)
        modules = tuple(module.path for module in compiler.model.modules)
        return prepared.describe(BuildResult(BuildOutcome.BUILT, tree=tree, modules=modules))

    def _run_folder(self, checkout: Checkout, folder: Path, replaced: Mapping[str, bytes | None]) -> Path:
        """Where tests run: where they are compiled, or a copy when a file that tests may read by its path is
        replaced."""
        if all(path.endswith(".java") for path in replaced):
            return folder
        key = checkout.key if folder == checkout.folder else content_key(checkout.key, folder.name)
        return self.context.variant_checkout(replace(checkout, folder=folder, key=key), replaced).folder


def compile_error(prepared: Preparation, compiler: ModuleCompiler, compiled: Compiled) -> BuildResult:
    """The result of class trees one of which does not compile."""
    assert compiled.failed is not None
    side = compiled.failed[1]
    modules = tuple(module.path for module in compiler.model.modules)
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

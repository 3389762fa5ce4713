"""The build context that both engines share for one project: JDKs, local repository, models, scratch folders."""

import errno
import shutil
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

from testevo.builds.engine import BuildResult, BuiltTree, Checkout
from testevo.builds.inputs.plugin_skips import PluginSkips, plugin_skips
from testevo.builds.maven.engine_jars import EngineUnavailableError
from testevo.builds.maven.maven_failures import MavenFailure
from testevo.builds.maven.maven_run import Maven
from testevo.builds.maven.resident_maven import ResidentMaven
from testevo.builds.model.model import BuildModel
from testevo.builds.model_source import MavenBuild, ModelSource, copy_checkout
from testevo.builds.preparation import Preparation, prepare, prepared_for, settle_level
from testevo.builds.project.inherited_licence import inherited_licence
from testevo.builds.project.jdks import BrokenJdk, Jdk, NewerJdk, choose_newer_jdk, require_usable
from testevo.builds.project.local_repository import LocalRepository
from testevo.builds.readable_sources import readable
from testevo.config.model import BuildOverrides
from testevo.records.verdicts import BuildOutcome, SurefireReasons, first_reason
from testevo.runtime.files.files import content_key

_ODD_PATHS = (errno.ENAMETOOLONG, errno.ELOOP, errno.ENOTDIR, errno.EISDIR)
"""What the system says of paths, never of a machine that lacks something."""
_SHOWN = 80
"""Characters of a name in a reason."""


@dataclass
class BuildContext:
    """Everything a build of one project needs besides the checkout."""

    local: LocalRepository
    cache: Path
    work: Path
    """Scratch folder of this engine; removed by `close`."""
    jdks: list[Jdk]
    """To choose from, the one to prefer first."""
    overrides: BuildOverrides = field(default_factory=BuildOverrides)
    level_override: str | None = None
    offline: bool = False
    seconds: float = 900.0
    memory_mb: int = 1024
    """Largest heap of Maven."""
    incremental: bool = True
    certifies: bool = False
    """Whether ways of building will be compared with plain Maven."""
    surefire: Mapping[str, SurefireReasons] = field(default_factory=dict)
    """By revision, why Surefire runs the tests of modules, also where the model does not tell: certificates do."""
    unusable: tuple[BrokenJdk, ...] = ()
    """JDKs that no build may choose: where one would, the machine is at fault."""
    skips: PluginSkips = field(default_factory=plugin_skips)
    _prepared: dict[str, Preparation | BuildResult] = field(default_factory=dict)
    _made: dict[Path, set[str]] = field(default_factory=dict)
    """The revisions of which a folder below `work` was made: those with equal files share it."""

    @property
    def _all_jdks(self) -> list[Jdk]:
        """In the order of choice: one that is broken comes last, and is refused where only it would fit."""
        return [*self.jdks, *(one.jdk for one in self.unusable if one.jdk)]

    @cached_property
    def source(self) -> ModelSource:
        return ModelSource(self.cache, self.offline, ResidentMaven(self.work / "resident"))

    def prepare(self, checkout: Checkout) -> Preparation | BuildResult:
        """Read a checkout once; equal keys are equal files.

        Raises:
            MachineError: its JDK is here and cannot be used.
        """
        known = self._prepared.get(checkout.key)
        if known is None or (isinstance(known, Preparation) and known.checkout != checkout):
            known = self._prepare(checkout)
            self._prepared[checkout.key] = known
        return known

    def _prepare(self, checkout: Checkout) -> Preparation | BuildResult:
        known = prepare(checkout, self._all_jdks, self.overrides, self.level_override, self.skips)
        if isinstance(known, Preparation):
            require_usable(known.choice.jdk, self.unusable, str(checkout))
        return known

    def prepare_again(self, tree: BuiltTree) -> Preparation | BuildResult:
        """As `prepare`, for a revision that is built already: with the JDK that built it.

        A variant keeps that JDK, so that an edit which needs a newer one ends alike whatever else is installed.
        """
        prepared = self.prepare(tree.checkout)
        if isinstance(prepared, BuildResult) or prepared.choice.jdk == tree.jdk:
            return prepared
        newer = NewerJdk(tree.jdk.feature, "the build of this revision")
        return self._newer(prepared, newer, [tree.jdk]) or prepared

    def with_fitting_jdk(self, checkout: Checkout, build: Callable[[Preparation], BuildResult]) -> BuildResult:
        """Build a revision, again with a newer JDK where one is needed and here.

        A path that its files or POMs lead to and that no disk takes is a failure of that build.

        Raises:
            MachineError: the JDK is here and cannot be used.
        """
        try:
            return self._with_fitting_jdk(checkout, build)
        except OSError as error:
            if error.errno not in _ODD_PATHS:
                raise
            name = Path(error.filename or "").name
            reason = f"{checkout}: {error.strerror}: {name[:_SHOWN] + '...' if len(name) > _SHOWN else name}"
            return BuildResult(BuildOutcome.BUILD_TOOL_FAILED, reason)

    def _with_fitting_jdk(self, checkout: Checkout, build: Callable[[Preparation], BuildResult]) -> BuildResult:
        prepared = self.prepare(checkout)
        while isinstance(prepared, Preparation):
            result = build(prepared)
            newer = self._on_newer_jdk(prepared, result)
            if newer is None:
                return self._with_licence(checkout, readable(result))
            prepared = newer
        return prepared

    def _with_licence(self, checkout: Checkout, result: BuildResult) -> BuildResult:
        inherited = inherited_licence(checkout.folder, self.local.artifacts) if result.built else None
        return replace(result, inherited_licence=inherited)

    def _on_newer_jdk(self, prepared: Preparation, result: BuildResult) -> Preparation | None:
        if result.newer is None:
            return None
        found = self._newer(prepared, result.newer, self._all_jdks)
        if found is not None:
            require_usable(found.choice.jdk, self.unusable, str(found.checkout))
        return found

    def _newer(self, prepared: Preparation, newer: NewerJdk, jdks: list[Jdk]) -> Preparation | None:
        demand, overrides = prepared.project.demand, self.overrides
        choice = choose_newer_jdk(newer, prepared.choice, demand, jdks, overrides, level_override=self.level_override)
        return None if choice is None else prepared_for(prepared.checkout, prepared.project, choice, self.skips)

    def maven(self, prepared: Preparation) -> Maven:
        choice, demand = prepared.choice, prepared.project.demand
        return Maven(
            local=self.local,
            jdk=choice.jdk,
            skips=self.skips,
            seconds=self.seconds,
            memory_mb=self.memory_mb,
            level=choice.level if choice.overridden or choice.assumed else None,
            level_is_assumed=choice.assumed,
            demanded=demand.jdk.text if demand.jdk else None,
        )

    def maven_of(self, tree: BuiltTree) -> Maven:
        """Maven as it builds a revision that is built, for others to start."""
        return self.maven(self.model_of(tree)[0])

    def model_of(self, tree: BuiltTree) -> tuple[Preparation, BuildModel]:
        """What is known of a revision that is built.

        Raises:
            ValueError: none of these engines has built it.
        """
        prepared = self.prepare_again(tree)
        if isinstance(prepared, BuildResult):
            raise ValueError(f"{tree.checkout}: {prepared.reason}")
        prepared, known = self.model(prepared)
        if known.model is None:
            raise ValueError(f"{tree.checkout} has no build model")
        return prepared, known.model

    def model(self, prepared: Preparation) -> tuple[Preparation, MavenBuild]:
        """The build model of a checkout, with the preparation that it belongs to: at last with its level settled.

        Engines that cannot be resolved are a failure like any dependency.
        """
        try:
            known = self.source.model(prepared, self.maven(prepared))
        except EngineUnavailableError as error:
            reason = f"{prepared.checkout}: {error}"
            return prepared, MavenBuild(None, MavenFailure(BuildOutcome.DEPENDENCY_UNAVAILABLE, reason))
        settled = settle_level(prepared, known.model, self.skips)
        if settled is not None:
            return self.model(settled)
        return prepared, replace(known, model=known.model and self.with_surefire(prepared.checkout, known.model))

    def check(self, built: BuildResult, plugins: Collection[str]) -> BuildResult:
        """See `Engine.check`: Maven builds the revision once more."""
        if built.tree is None or not plugins:
            return built
        prepared, model = self.model_of(built.tree)
        if not set(plugins) & set(model.plugins):
            return built
        maven = replace(self.maven(prepared), skips=self.skips.without(plugins))
        failure = self.source.failure_of(prepared, maven, self.work / "checked")
        if failure is None:
            return built
        refused = failure.outcome is BuildOutcome.BUILD_TOOL_FAILED
        outcome = BuildOutcome.CHECK_FAILED if refused else failure.outcome
        return replace(built, outcome=outcome, reason=failure.reason, tree=None, inherited_licence=None)

    def with_surefire(self, checkout: Checkout, model: BuildModel) -> BuildModel:
        """The model of a revision, with what is known of it besides.

        A certificate that makes Surefire run tests may have found that classes differ, so that Maven compiles them.
        What is told of a module that is not there may be of any.
        """
        told = self.surefire.get(checkout.revision)
        if told is None:
            return model
        paths = {one.path for one in model.modules}
        of_any = first_reason({path: reason for path, reason in told.items() if path not in paths})
        modules = tuple(one.with_surefire(told.get(one.path) or of_any) for one in model.modules)
        added = next((new.needs_surefire for new, one in zip(modules, model.modules, strict=True) if new != one), None)
        return model.model_copy(update={"modules": modules, "needs_maven": model.needs_maven or added})

    def variant_checkout(self, checkout: Checkout, replaced: Mapping[str, bytes | None]) -> Checkout:
        """A copy of a checkout with files replaced, made once per content."""
        key = variant_key(checkout, replaced)
        folder = self.folder_of(checkout, "variants", key)
        if not folder.is_dir():
            making = folder.with_name(f".{key}")
            shutil.rmtree(making, ignore_errors=True)
            copy_checkout(checkout.folder, making, replaced)
            making.rename(folder)
        return Checkout(checkout.repository, checkout.revision, folder, key)

    def is_variant(self, checkout: Checkout) -> bool:
        """Whether a checkout comes from `variant_checkout`: no revision is like it."""
        return checkout.folder.is_relative_to(self.work / "variants")

    def folder_of(self, checkout: Checkout, kind: str, key: str) -> Path:
        """The folder for something that is made of a checkout, until its revision is forgotten.

        Args:
            kind: what is made.
            key: content key of it.
        """
        folder = self.work / kind / key
        self._made.setdefault(folder, set()).add(checkout.revision)
        return folder

    def forget(self, revision: str) -> None:
        """See `Engine.forget`."""
        for folder, revisions in list(self._made.items()):
            revisions.discard(revision)
            if not revisions:
                del self._made[folder]
                shutil.rmtree(folder, ignore_errors=True)

    def close(self) -> None:
        self.source.resident.close()
        shutil.rmtree(self.work, ignore_errors=True)


def variant_key(checkout: Checkout, replaced: Mapping[str, bytes | None]) -> str:
    """Content key of a checkout with files replaced."""
    parts = [part for path in sorted(replaced) for part in (path, replaced[path])]
    return content_key(checkout.key, *("removed" if part is None else part for part in parts))


def failed(failure: MavenFailure) -> BuildResult:
    """A result without a tree."""
    return BuildResult(failure.outcome, failure.reason, diagnostics=failure.diagnostics, newer=failure.newer)

"""Types that both engines take and return: checkouts, built trees, build results."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Protocol

from testevo.builds.maven.maven_run import Maven
from testevo.builds.model.model import USUAL_SETTINGS, BuildModel, Framework, ModulePathRules, RunSettings
from testevo.builds.project.jdks import Jdk, NewerJdk
from testevo.java.encodings import USUAL, is_usual
from testevo.records.verdicts import (
    BuildOutcome,
    BuildVerdict,
    Diagnostic,
    SourceEncoding,
    SurefireReasons,
    encoding_below,
    first_reason,
)
from testevo.sources.licences import Licence


@dataclass(frozen=True)
class Checkout:
    """The files of one revision in a folder that nobody writes to."""

    repository: str
    revision: str
    folder: Path
    key: str
    """Content key of the tree, for example the git tree id: equal keys mean equal files."""

    def __str__(self) -> str:
        return f"{self.repository} at {self.revision[:7]}"


@dataclass(frozen=True)
class NamedModule:
    """How tests of a named module run: on the module path, with the test classes as a patch of it."""

    name: str
    module_path: tuple[Path, ...]
    """Entries of the class path that are modules, the module's own classes among them."""
    rules: ModulePathRules


@dataclass(frozen=True)
class BuiltModule:
    """A module with compiled production and test code, ready to run."""

    path: str
    """Folder relative to the repository, '' for the root."""
    folder: Path
    """With its POM; the working directory of its tests, unless the build names another one."""
    production_classes: Path
    test_classes: Path
    class_path: tuple[Path, ...]
    """Run time, in order: test classes, production classes, then dependencies."""
    framework: Framework
    engine_jars: tuple[Path, ...]
    """JUnit Platform jars to append, none of which is on the class path."""
    jvm_arguments: tuple[str, ...]
    environment: Mapping[str, str]
    test_includes: tuple[str, ...]
    """Ant patterns of surefire, over source file names."""
    test_excludes: tuple[str, ...]
    test_roots: tuple[str, ...]
    """Relative to the repository."""
    production_roots: tuple[str, ...]
    test_resource_folders: tuple[str, ...] = ()
    """Relative to the repository: what is copied beside the test classes, and not beside those of production too."""
    class_path_keys: tuple[str, ...] = ()
    """Content key of each entry of `class_path`: of a class tree, or SHA-256 of a jar."""
    test_encoding: str = USUAL
    """Of its test sources, as the compiler is told."""
    production_encoding: str = USUAL
    settings: RunSettings = USUAL_SETTINGS
    unread_reports: str = ""
    """The parameter of Surefire for which its reports are not found; '' where none says so."""
    surefire: str | None = None
    """Why only Surefire runs its tests as Maven does; None when the launcher does too."""
    named: NamedModule | None = None
    """Where its tests run on the module path; None: on the class path."""
    outputs: tuple[str, str] | None = None
    """Where Maven puts production and test classes, relative to `folder`, as `target/classes`; None when that is not
    inside the folder. Tests find them there, wherever the trees are kept."""

    @property
    def root(self) -> Path:
        """What stands for the folder of the repository where its tests run."""
        return self.folder.parents[len(Path(self.path).parts) - 1] if self.path else self.folder

    def at(self, place: Callable[[Path], Path]) -> "BuiltModule":
        """The module with its class folders and jars where `place` says."""
        named = self.named and replace(self.named, module_path=tuple(map(place, self.named.module_path)))
        return replace(
            self,
            class_path=tuple(map(place, self.class_path)),
            named=named,
            production_classes=place(self.production_classes),
            test_classes=place(self.test_classes),
        )

    @property
    def test_class_path(self) -> tuple[Path, ...]:
        """Where classes that its tests name are looked for: the test classes, then `class_path`."""
        return (self.test_classes, *self.class_path)

    @property
    def plain_class_path(self) -> tuple[Path, ...]:
        """The entries of `class_path` that are on no module path."""
        modules = self.named.module_path if self.named is not None else ()
        return tuple(path for path in self.class_path if path not in modules)

    @property
    def start_folder(self) -> Path:
        """The working directory of its tests."""
        return self.folder / self.settings.working_directory

    @property
    def roots_by_side(self) -> tuple[tuple[tuple[str, ...], str], ...]:
        """Production roots, then test roots, each with the encoding of the sources below them."""
        return (self.production_roots, self.production_encoding), (self.test_roots, self.test_encoding)


@dataclass(frozen=True)
class BuiltTree:
    """A built revision, or a variant of one with some files replaced."""

    checkout: Checkout
    """The revision itself, also for a variant."""
    jdk: Jdk
    modules: tuple[BuiltModule, ...]
    key: str
    """Content key of sources, level, class paths and JVM arguments: whoever compiles them, and with which JDK, equal
    keys mean equal trees."""
    engine: str = "direct"
    replaced: Mapping[str, bytes | None] = field(default_factory=dict)
    maven: tuple[str, ...] = ()
    """Maven's command without goals, for trees that the engine `maven` built in place (for the reference runner)."""
    maven_folder: Path | None = None
    """Where it built them: the folder of the top-level POM."""
    model: BuildModel | None = field(default=None, repr=False)
    """As that run of Maven has evaluated it."""

    @property
    def surefire(self) -> SurefireReasons:
        """Why Surefire runs the tests of modules; no module when the launcher runs all tests."""
        return {module.path: module.surefire for module in self.modules if module.surefire is not None}

    @property
    def why_surefire(self) -> str | None:
        """The first of these reasons."""
        return first_reason(self.surefire)

    @property
    def launched(self) -> tuple[BuiltModule, ...]:
        """The modules whose tests the launcher runs."""
        return tuple(module for module in self.modules if module.surefire is None and module.framework != "none")

    @property
    def needs_surefire(self) -> str | None:
        """The first of the reasons where Surefire runs all tests; None when the launcher runs those of a module."""
        return None if self.launched else self.why_surefire

    def module(self, path: str) -> BuiltModule | None:
        """The module in the folder `path`."""
        return next((module for module in self.modules if module.path == path), None)

    def module_of(self, file: str) -> BuiltModule | None:
        """The module whose source roots hold the repository-relative `file`."""
        for module in self.modules:
            roots = (*module.test_roots, *module.production_roots)
            if any(file.startswith(f"{root}/") for root in roots):
                return module
        return None

    def encoding_of(self, file: str) -> str | None:
        """The encoding in which the repository-relative `file` is compiled; None when it lies below no source root."""
        return encoding_below(self._encodings, file)

    @property
    def encodings(self) -> tuple[SourceEncoding, ...]:
        """Of all source roots, where one has another encoding than UTF-8."""
        return () if all(is_usual(one.encoding) for one in self._encodings) else self._encodings

    @property
    def _encodings(self) -> tuple[SourceEncoding, ...]:
        return tuple(
            SourceEncoding(folder=root, encoding=encoding)
            for module in self.modules
            for roots, encoding in module.roots_by_side
            for root in roots
        )


@dataclass(frozen=True)
class BuildResult:
    """How a build ended; `tree` is there exactly when `outcome` is BUILT."""

    outcome: BuildOutcome
    reason: str = ""
    tree: BuiltTree | None = None
    diagnostics: tuple[Diagnostic, ...] = ()
    fingerprint: str | None = None
    level: str | None = None
    jdk_feature: int | None = None
    jdk_reason: str | None = None
    modules: tuple[str, ...] = ()
    fallback: str | None = None
    newer: NewerJdk | None = None
    """The JDK that the outcome NEWER_JDK_NEEDED asks for."""
    inherited_licence: Licence | None = None
    """Of a revision that is built; None where its own POMs declare one, or there is no parent elsewhere."""

    @property
    def built(self) -> bool:
        return self.outcome is BuildOutcome.BUILT

    def verdict(self, checkout: Checkout) -> BuildVerdict:
        """The record of this result (stage build_check)."""
        return BuildVerdict(
            repository=checkout.repository,
            revision=checkout.revision,
            outcome=self.outcome,
            reason=self.reason,
            fingerprint=self.fingerprint,
            java_level=self.level,
            jdk=self.jdk_feature,
            jdk_reason=self.jdk_reason,
            modules=self.modules,
            fallback=self.fallback,
            surefire=self.tree.surefire if self.tree is not None else {},
            diagnostics=self.diagnostics,
            inherited_licence=self.inherited_licence.spdx if self.inherited_licence else None,
            inherited_licence_origin=self.inherited_licence.origin if self.inherited_licence else None,
            encodings=self.tree.encodings if self.tree is not None else None,
        )


class Engine(Protocol):
    """A way to build revisions. `direct` is held to the verdicts of `maven` by tests."""

    name: str

    def build(self, checkout: Checkout) -> BuildResult:
        """Build production and test code of every module."""
        ...

    def build_variant(
        self, base: BuiltTree, replaced: Mapping[str, bytes | None], seconds: float | None = None
    ) -> BuildResult:
        """Build `base` with some files replaced.

        Args:
            base: a built tree of this engine, not a variant itself.
            replaced: repository-relative path -> new content; None removes the file.
            seconds: limit of the compiler where an edit by somebody else is compiled. A compiler that passes it or
                ends without an answer is the edit's doing: Maven is not asked again. Where Maven compiles the
                edit, its own limit holds.
        """
        ...

    def by_maven(self, tree: BuiltTree) -> BuildResult:
        """The same files built by Maven, in place, for Surefire to run their tests; once for each tree.

        Args:
            tree: of this engine, perhaps a variant; where Maven has built it, the result has the tree itself.
        """
        ...

    def forget(self, revision: str) -> None:
        """Remove what lies in the scratch folder of a revision and of its edits; their trees are used no more."""
        ...

    def check(self, built: BuildResult, plugins: Collection[str]) -> BuildResult:
        """How a revision that is built ends where plugins, which builds switch off, are switched on.

        Args:
            built: of this engine.
            plugins: artifact ids, as in `config/plugin-skips.yaml`. CHECK_FAILED is the outcome where one refuses the
                revision, and `built` itself the result where none does or none takes part in the build.
        """
        ...

    def fetch(self, checkout: Checkout) -> BuildResult:
        """Let Maven get, with the network, all that `build` needs without it; the result need not have a tree."""
        ...

    def maven(self, tree: BuiltTree) -> Maven:
        """Maven as it builds the revision of `tree`, for a user of the tree to start."""
        ...

    def close(self) -> None:
        """Stop processes and delete scratch folders; built trees of a Maven build end with it."""
        ...

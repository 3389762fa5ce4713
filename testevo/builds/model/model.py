"""`BuildModel`: all that the direct engine must know of a build, read once from Maven, kept by fingerprint (TEB-M18).

Paths in a model are texts that begin with a place, so that a model is the same on every machine:
`{checkout}/core/target/classes`, `{repository}/junit/junit/4.13/junit-4.13.jar`. `Places` turns them into paths.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Literal

from pydantic import ValidationError

from testevo.builds.project.java_demand import feature_of
from testevo.java.encodings import USUAL
from testevo.records.base import Part
from testevo.records.verdicts import SurefireReasons, first_reason
from testevo.runtime.files.files import canonical_json, file_digest
from testevo.runtime.files.plain_files import exists
from testevo.runtime.files.whole_files import write_if_changed

CHECKOUT = "{checkout}"
REPOSITORY = "{repository}"
JDK_HOME = "{jdk}"

FINGERPRINT_VERSION = 2
"""Part of every fingerprint; raise it whenever a model is read differently from the same build."""

MODEL_VERSION = 28
"""Of a model file; raise it when older files must not be believed, though records keep the same fingerprints."""

LEVEL_OPTIONS = ("-source", "--source", "--release")

Framework = Literal["junit3", "junit4", "platform", "none"]


@dataclass(frozen=True)
class Places:
    """Where the places of a model lie on this machine, for one checkout."""

    checkout: Path
    repository: Path
    jdk: Path

    def path(self, text: str) -> str:
        """`text` with its places filled in."""
        return (
            text.replace(CHECKOUT, str(self.checkout))
            .replace(REPOSITORY, str(self.repository))
            .replace(JDK_HOME, str(self.jdk))
        )

    def hide(self, text: str) -> str:
        """The inverse of `path`: machine paths in `text` become places."""
        return (
            text.replace(str(self.repository), REPOSITORY)
            .replace(str(self.checkout), CHECKOUT)
            .replace(str(self.jdk), JDK_HOME)
        )


class Compilation(Part):
    """One run of javac: its sources, options and what it sees."""

    execution: str
    """Id of the plugin execution, as `default-compile`."""
    roots: tuple[str, ...]
    """Source roots, relative to the repository; one that does not exist is left out when compiling."""
    includes: tuple[str, ...] = ()
    excludes: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    """All but output, class path, module path and source path."""
    class_path: tuple[str, ...] = ()
    """Own output folder excluded."""
    module_path: tuple[str, ...] = ()
    """Non-empty only for sources with a module descriptor."""
    unread: str | None = None
    """A parameter whose options are unknown, as Maven compiled nothing when the model was read."""

    @property
    def encoding(self) -> str:
        """That javac is told, or else assumes; of several the last, as javac does."""
        named = [after for word, after in pairwise(self.options) if word == "-encoding"]
        return named[-1] if named else USUAL


class ResourceFolder(Part):
    """A folder whose files are copied beside the classes."""

    folder: str
    """Relative to the repository."""
    target: str = ""
    """Below the output folder."""
    filtered: bool = False
    includes: tuple[str, ...] = ()
    excludes: tuple[str, ...] = ()
    after_compiling: bool = False
    """Whether the classes of this side are compiled before: the compiler does not see these files."""


class SavedFile(Part):
    """A file that Maven made during the model run, kept in the cache by its digest."""

    path: str
    """Relative to the output folder."""
    digest: str
    source_digest: str | None = None
    """For a filtered resource: digest of the unfiltered file; the saved one stands in only for equal sources."""


class SideModel(Part):
    """Production or test half of a module."""

    output: str
    """Maven's output folder, `{checkout}/target/classes`; a name by which class paths refer to it."""
    compilations: tuple[Compilation, ...] = ()
    resources: tuple[ResourceFolder, ...] = ()
    keeps_modes: bool = False
    """Whether copied resources can be executed as their sources can: with the resources plugin since 3.2.0."""
    default_excludes: tuple[str, ...] = ()
    """Patterns of files that the resources plugin leaves out by itself."""
    filtered: tuple[SavedFile, ...] = ()
    extra: tuple[SavedFile, ...] = ()
    """Files that goals of other plugins are told to write into the output folder; others send the build to Maven."""

    @property
    def roots(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(root for compilation in self.compilations for root in compilation.roots))

    @property
    def encoding(self) -> str:
        """That of its sources; several names, which is none, where its compilations do not agree."""
        return "/".join(dict.fromkeys(compilation.encoding for compilation in self.compilations)) or USUAL


class ModulePathRules(Part):
    """How a version of Surefire starts the JVM for tests of a named module (its class
    `ModularClasspathForkConfiguration`)."""

    opens: bool
    """Packages of tests are opened to JUnit; older versions only export them."""
    with_providers: bool
    """Jars that provide a service which a module uses are modules, too."""
    all_modules: bool
    """Everything on the module path is resolved; in older versions what the module needs."""


class RunSettings(Part):
    """Settings of Surefire that the launcher takes over, beside options of the JVM and patterns of names."""

    included_tags: tuple[str, ...] = ()
    """Tags of the JUnit Platform, or categories of JUnit 4; tests must have one of them, if there are any."""
    excluded_tags: tuple[str, ...] = ()
    older_categories: bool = False
    """Categories of JUnit 4 count by the rules of Surefire before 3.0.0-M5."""
    older_start: bool = False
    """Of Surefire before 3.0.0-M6: it makes the folder of its reports behind the first class, not before it, and finds
    tests of the JUnit Platform in a session of their own."""
    configuration_parameters: tuple[str, ...] = ()
    """Of the JUnit Platform: lines of a text in the form of `java.util.Properties`."""
    jvm_per_class: bool = False
    """Whether a suite runs each test class in a JVM of its own."""
    working_directory: str = ""
    """Of the JVM, relative to the folder of the module; made before it starts."""
    module_path: ModulePathRules | None = None
    """For tests of a named module; None: they run on the class path."""

    @property
    def chooses_tests(self) -> bool:
        """Whether a test has to have, or must not have, some tag or category."""
        return bool(self.included_tags or self.excluded_tags)


USUAL_SETTINGS = RunSettings()


class ModuleModel(Part):
    """A module that has classes."""

    path: str
    """Relative to the repository, '' for the root."""
    production: SideModel
    test: SideModel
    run_class_path: tuple[str, ...] = ()
    """Test class path without the module's own two output folders."""
    framework: Framework = "none"
    framework_version: str = ""
    engine_jars: tuple[str, ...] = ()
    jvm_arguments: tuple[str, ...] = ()
    environment: dict[str, str] = {}
    test_includes: tuple[str, ...] = ()
    test_excludes: tuple[str, ...] = ()
    settings: RunSettings = USUAL_SETTINGS
    unread_reports: str = ""
    """The parameter of Surefire for which its reports are not found; '' where none says so."""
    needs_maven: str | None = None
    """Why the direct engine cannot do the build because of this module; None when it can."""
    needs_surefire: str | None = None
    """Why only Surefire, and not the launcher, runs the tests of this module as Maven does; None when both do, or there
    are none."""

    def with_surefire(self, reason: str | None) -> "ModuleModel":
        """The module for which a reason holds that is not its own; one of its own, and none without tests, stays."""
        if reason is None or self.needs_surefire is not None or self.framework == "none":
            return self
        return self.model_copy(update={"needs_surefire": reason})


class BuildModel(Part):
    """The modules of a build in reactor order."""

    version: int = MODEL_VERSION
    fingerprint: str
    level: str | None = None
    modules: tuple[ModuleModel, ...]
    needs_maven: str | None = None
    """Why the direct engine cannot do this build; None when it can."""
    tests_need_maven: str | None = None
    """Why Maven has to compile the tests, too, where it has built the production code; None when that may be done
    directly."""
    derives_properties: bool = False
    """Whether a plugin made properties that may follow from the version of the project (`derives_properties`)."""
    plugins: tuple[str, ...] = ()
    """Artifact ids of all plugins that take part in the build, also of those that are told to do nothing."""
    asked: dict[str, bool] = {}
    """By repository-relative path, whether a file or folder that a profile asks for was there; no key of a checkout
    holds what only parents in a registry ask for."""
    jars: dict[str, str] = {}
    """SHA-256 of every jar on a class path, frozen when the model was read."""

    @property
    def surefire(self) -> SurefireReasons:
        """Why Surefire runs the tests of modules; no module when the launcher runs all tests."""
        return {one.path: one.needs_surefire for one in self.modules if one.needs_surefire is not None}

    @property
    def needs_surefire(self) -> str | None:
        """The first of these reasons where Surefire runs all tests; None when the launcher runs those of a module."""
        has_launched = any(one.needs_surefire is None and one.framework != "none" for one in self.modules)
        return None if has_launched else first_reason(self.surefire)


def read_model(path: Path) -> BuildModel | None:
    """The model kept at `path`; None when there is none, or one of an older form."""
    if not path.is_file():
        return None
    try:
        model = BuildModel.model_validate_json(path.read_bytes())
    except ValidationError:
        return None
    return model if model.version == MODEL_VERSION else None


def write_model(path: Path, model: BuildModel) -> None:
    write_if_changed(path, (canonical_json(model.model_dump(mode="json")) + "\n").encode())


def lowest_level(model: BuildModel) -> int | None:
    """The lowest source level or release that a compilation of the model asks for; None when none asks."""
    found = []
    for module in model.modules:
        for compilation in (*module.production.compilations, *module.test.compilations):
            words = compilation.options
            found += [feature_of(after) for word, after in pairwise(words) if word in LEVEL_OPTIONS]
    return min((level for level in found if level), default=None)


def fits(model: BuildModel, places: Places) -> bool:
    """Whether a model may be used for the checkout of `places`: no jar is missing, and profiles find there what they
    found when it was read."""
    return not missing_jars(model, places) and all(
        exists(places.checkout / path) == was_there for path, was_there in model.asked.items()
    )


def is_changed_by(model: BuildModel, replaced: Mapping[str, bytes | None]) -> bool:
    """Whether files that come, or by None go, bring or take what a profile asks for."""
    return any(
        path == asked if content is None else not was_there and f"{path}/".startswith(f"{asked}/")
        for path, content in replaced.items()
        for asked, was_there in model.asked.items()
    )


def missing_jars(model: BuildModel, places: Places) -> list[str]:
    """Jars of the model that are not in the local repository (it was deleted or moved), or that the checkout has not or
    has otherwise: read the model again then."""
    return [jar for jar, digest in sorted(model.jars.items()) if not _is_there(jar, digest, places)]


def _is_there(jar: str, digest: str, places: Places) -> bool:
    """Whether a jar is what it was; those of a repository never change."""
    file = Path(places.path(jar))
    return file.is_file() and (not jar.startswith(CHECKOUT) or file_digest(file) == digest)


def by_output(model: BuildModel) -> Mapping[str, tuple[str, Literal["production", "test"]]]:
    """Output folder as it stands in class paths -> (module path, side)."""
    found: dict[str, tuple[str, Literal["production", "test"]]] = {}
    for module in model.modules:
        found[module.production.output] = (module.path, "production")
        found[module.test.output] = (module.path, "test")
    return found

"""Facts about a checkout before anything is compiled: POMs, JDK, fingerprint."""

from dataclasses import dataclass, replace

from testevo.builds.engine import BuildResult, Checkout
from testevo.builds.inputs.build_files import BuildFiles, build_files
from testevo.builds.inputs.plugin_skips import PluginSkips
from testevo.builds.model.model import FINGERPRINT_VERSION, BuildModel, lowest_level
from testevo.builds.project.jdks import Jdk, JdkChoice, NoSuitableJdkError, assume_level, choose_jdk
from testevo.builds.project.normalised_pom import normalised_poms, own_versions
from testevo.builds.project.pom import MavenProject, UnreadableBuildFileError, has_pom, read_pom
from testevo.config.model import BuildOverrides
from testevo.records.verdicts import BuildOutcome
from testevo.runtime.files.files import content_key


@dataclass(frozen=True)
class Preparation:
    """A readable project with a JDK that fits."""

    checkout: Checkout
    project: MavenProject
    choice: JdkChoice
    fingerprint: str
    normalised: str
    """Key of what in the same files can change a build (`testevo.builds.project.normalised_pom`)."""
    options: str
    """Key of all that decides the fingerprint besides POMs: JDK, level override, the other files, skips."""
    files: BuildFiles
    """POMs, and the files that they name."""

    def describe(self, result: BuildResult) -> BuildResult:
        """`result` with what is known about every build of this checkout."""
        return replace(
            result,
            fingerprint=self.fingerprint,
            level=self.choice.level,
            jdk_feature=self.choice.jdk.feature,
            jdk_reason=self.choice.reason,
        )


def settle_level(prepared: Preparation, model: BuildModel | None, skips: PluginSkips) -> Preparation | None:
    """A preparation that assumes a level, when nothing declares one and the plugins' own default is too old.

    None when the build can stay as it is.
    """
    choice = prepared.choice
    level = lowest_level(model) if model is not None else None
    if level is None or level >= choice.jdk.oldest_level or choice.level is not None:
        return None
    assumed = assume_level(choice, level)
    return prepared_for(prepared.checkout, prepared.project, assumed, skips)


def prepare(
    checkout: Checkout, jdks: list[Jdk], overrides: BuildOverrides, level_override: str | None, skips: PluginSkips
) -> Preparation | BuildResult:
    """Read the POMs, choose the JDK, compute the fingerprint; a `BuildResult` when one of them fails."""
    if not has_pom(checkout.folder):
        return BuildResult(BuildOutcome.NO_BUILD_FILE, f"{checkout} has no pom.xml at top level.")
    try:
        project = read_pom(checkout.folder)
    except UnreadableBuildFileError as error:
        return BuildResult(error.outcome, f"{checkout}: {error}")
    try:
        choice = choose_jdk(
            project.demand, jdks, overrides, level_override=level_override, where=f"pom.xml of {checkout}"
        )
    except NoSuitableJdkError as error:
        return BuildResult(error.outcome, str(error), level=project.level)
    return prepared_for(checkout, project, choice, skips)


def prepared_for(checkout: Checkout, project: MavenProject, choice: JdkChoice, skips: PluginSkips) -> Preparation:
    """A preparation with its keys over everything the build model depends on: `BuildFiles`, JDK, level override, skip
    list.

    Module descriptors are among the files: what they require decides which jars the compiler plugin puts on the module
    path, and which on the class path.
    """
    level = choice.level or "" if choice.overridden or choice.assumed else ""
    parts: list[str | bytes] = [str(FINGERPRINT_VERSION), str(choice.jdk.feature), level, skips.key]
    exact, normalised, options = list(parts), list(parts), list(parts)
    files = build_files(checkout.folder, project, skips)
    poms = normalised_poms(checkout.folder, project)
    for path, content in files.found(checkout.folder):
        exact += [path, content]
        of_others = [content, *_own_versions_in(checkout, path, project)]
        normalised += [path, *([poms[path]] if path in poms else of_others)]
        options += [] if path in poms else [path, content]
    keys = content_key(*exact), content_key(*normalised), content_key(*options)
    return Preparation(checkout, project, choice, *keys, files)


def _own_versions_in(checkout: Checkout, path: str, project: MavenProject) -> list[str]:
    """The versions of modules that a POM names which is not read itself, as that of a module of a profile: it may mean
    a module here by them, or one in a registry."""
    if path in project.pom_files or not path.endswith("pom.xml"):
        return []
    text = (checkout.folder / path).read_bytes()
    return [version for version in sorted(own_versions(project)) if version.encode() in text]

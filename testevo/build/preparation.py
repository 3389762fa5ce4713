"""What is known about a checkout before anything is compiled: POMs, JDK, fingerprint."""

import os
from dataclasses import dataclass, replace
from pathlib import Path

from testevo.build.engine import BuildResult, Checkout
from testevo.build.jdks import Jdk, JdkChoice, NoSuitableJdkError, assume_level, choose_jdk
from testevo.build.model import MODEL_VERSION, BuildModel, lowest_level
from testevo.build.plugin_skips import PluginSkips
from testevo.build.pom import MavenProject, UnreadableBuildFileError, has_pom, read_pom
from testevo.config.model import BuildOverrides
from testevo.ground.files import content_key, file_digest
from testevo.records.verdicts import BuildOutcome


@dataclass(frozen=True)
class Preparation:
    """A readable project with a JDK that fits."""

    checkout: Checkout
    project: MavenProject
    choice: JdkChoice
    fingerprint: str

    def describe(self, result: BuildResult) -> BuildResult:
        """`result` with what is known about every build of this checkout."""
        return replace(
            result,
            fingerprint=self.fingerprint,
            level=self.choice.level,
            jdk_feature=self.choice.jdk.feature,
            jdk_reason=self.choice.reason,
            unstable_versions=result.unstable_versions or self.project.unstable_versions,
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
    key = fingerprint(prepared.checkout.folder, assumed, skips)
    return replace(prepared, choice=assumed, fingerprint=key)


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
        return BuildResult(
            error.outcome, str(error), level=project.level, unstable_versions=project.unstable_versions
        )
    key = fingerprint(checkout.folder, choice, skips)
    return Preparation(checkout, project, choice, key)


def fingerprint(folder: Path, choice: JdkChoice, skips: PluginSkips) -> str:
    """Key of everything the build model depends on: POMs, `.mvn`, JDK, level override, skip list.

    Module descriptors count by their presence, because they make the compiler plugin use a module path.
    """
    level = choice.level or "" if choice.overridden or choice.assumed else ""
    parts = [str(MODEL_VERSION), str(choice.jdk.feature), level, skips.key]
    for path in _build_files(folder):
        presence_only = path.name == "module-info.java"
        parts += [path.relative_to(folder).as_posix(), "" if presence_only else file_digest(path)]
    return content_key(*parts)


def _build_files(folder: Path) -> list[Path]:
    found = [path for path in (folder / ".mvn").rglob("*") if path.is_file()]
    for place, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".") and name not in ("target", "node_modules")]
        found += [Path(place, name) for name in files if name in ("pom.xml", "module-info.java")]
    return sorted(found)

"""A Maven project as its POMs describe it: modules, declared Java level, unstable versions (TEB-M02, M07, M18)."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from testevo.builds.project.java_demand import JavaDemand, java_demand
from testevo.builds.project.pom_file import (
    PomFile,
    UnreadableBuildFileError,
    children,
    find,
    parse_pom,
    pom_named,
    text_of,
)

__all__ = ["MavenModule", "MavenProject", "UnreadableBuildFileError", "has_pom", "read_pom"]

_MOST_NESTED = 100


@dataclass(frozen=True)
class MavenModule:
    """A module of the reactor, as its POM describes it."""

    path: str
    """Folder relative to the repository, '' for the root."""
    group: str | None
    artifact: str | None
    version: str | None


@dataclass(frozen=True)
class MavenProject:
    """All modules of a project in the order of their declaration, the root first."""

    modules: tuple[MavenModule, ...]
    demand: JavaDemand
    unstable_versions: tuple[str, ...]
    """`groupId:artifactId:version` of SNAPSHOT, range, LATEST or RELEASE versions from elsewhere."""
    pom_files: tuple[str, ...]
    """All POMs read, parents on disk included, sorted."""

    @property
    def level(self) -> str | None:
        return self.demand.level


def has_pom(folder: Path) -> bool:
    """Whether there is a `pom.xml` at top level (TEB-M02)."""
    return (folder / "pom.xml").is_file()


def read_pom(folder: Path) -> MavenProject:
    """Read the project whose top-level POM is `folder`/pom.xml.

    Raises:
        UnreadableBuildFileError: a POM is malformed, a module is missing, modules or parents form a cycle, or modules
            lie in each other without end.
    """
    root = folder.resolve()
    poms = _with_modules(root, "pom.xml", ())
    unique = list({pom.path: pom for pom in poms}.values())
    modules = tuple(_module(pom) for pom in unique)
    read = sorted({above.path for pom in unique for above in pom.chain()})
    own = {(module.group, module.artifact) for module in modules}
    unstable = sorted({found for pom in unique for above in pom.chain() for found in _unstable(above, own)})
    return MavenProject(modules, java_demand(unique), tuple(unstable), tuple(read))


def _with_modules(root: Path, path: str, above: tuple[str, ...]) -> list[PomFile]:
    if path in above:
        raise UnreadableBuildFileError(
            f"The modules of {above[0]} form a cycle: {' -> '.join((*above, path))}. Fix the <modules> elements."
        )
    if len(above) == _MOST_NESTED:
        raise UnreadableBuildFileError(f"{above[0]} has modules within modules, {_MOST_NESTED} deep and deeper.")
    pom = parse_pom(root, path)
    found = [pom]
    for name in _module_names(pom):
        found += _with_modules(root, _module_pom(root, pom, name), (*above, path))
    return found


def _module_names(pom: PomFile) -> list[str]:
    names = []
    for section in reversed(list(pom.sections())):
        for element in children(find(section, "modules"), "module"):
            name = pom.resolve((element.text or "").strip())
            if name and name not in names:
                names.append(name)
    return names


def _module_pom(root: Path, pom: PomFile, name: str) -> str:
    file = pom_named(pom.file.parent, name.replace("\\", "/"))
    if file is None:
        raise UnreadableBuildFileError(f"{pom.path} names the module {name[:200]}, which has no pom.xml.")
    if not file.is_relative_to(root):
        raise UnreadableBuildFileError(f"{pom.path} names the module {name}, which lies outside the repository.")
    return file.relative_to(root).as_posix()


def _module(pom: PomFile) -> MavenModule:
    folder = PurePosixPath(pom.path).parent.as_posix()
    return MavenModule(
        path="" if folder == "." else folder,
        group=pom.resolve(pom.coordinate("groupId")),
        artifact=pom.resolve(pom.coordinate("artifactId")),
        version=pom.resolve(pom.coordinate("version")),
    )


def _unstable(pom: PomFile, own: set[tuple[str | None, str | None]]) -> Iterator[str]:
    for section in pom.sections():
        for element in section.iter():
            if not isinstance(element.tag, str) or text_of(element, "version") is None:
                continue
            group = pom.resolve(text_of(element, "groupId")) or "org.apache.maven.plugins"
            artifact, version = pom.resolve(text_of(element, "artifactId")), pom.resolve(text_of(element, "version"))
            if not artifact or not version or element is pom.project or (group, artifact) in own:
                continue
            if version.endswith("-SNAPSHOT") or version[0] in "[(" or version in ("LATEST", "RELEASE"):
                yield f"{group}:{artifact}:{version}"

"""Normalise POMs: keep only what can change how a revision compiles and tests, so that Maven models are reused.

Releases change the version of the project itself and little more, and Maven takes seconds to say that nothing else
follows. Left out are

- the project's own versions, where they stand for a module of this checkout. A mark stays that tells which of them it
  was, also wherever else one of them stands: equal forms are equal but for a consistent change of these versions;
- what describes the project to people, unless a POM of the project refers to it or a parent in a registry may do so.
  Below such a parent everything of it stays but what each release sets.

What a build makes of what was left out is for `testevo.builds.model.equivalent_models` to look at, which knows it by
`release_traces`.
"""

import copy
import re
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path

from lxml import etree

from testevo.builds.project.pom import MavenProject
from testevo.builds.project.pom_file import PomFile, children, find, local_name, parse_pom, text_of

DESCRIPTIVE = (
    "name",
    "description",
    "url",
    "inceptionYear",
    "organization",
    "licenses",
    "developers",
    "contributors",
    "mailingLists",
    "scm",
    "issueManagement",
    "ciManagement",
    "distributionManagement",
)
TIMESTAMP = "project.build.outputTimestamp"
"""A property that every release sets, and that only packaging reads."""
_PLACEHOLDER = re.compile(r"\$\{([^${}]+)\}")
_STEP = re.compile(r"[.\[\]]")
_OWN = "own"
"""The attribute that holds the mark of an own version, which no POM has."""
_LEAST_OF_A_MOMENT = len("2026-01-01")


def normalised_poms(folder: Path, project: MavenProject) -> dict[str, bytes]:
    """By path, the POMs of the checkout `folder` in canonical form, without what cannot change a build.

    Raises:
        UnreadableBuildFileError: one is not a POM; `project` has been read from the same folder before.
    """
    elements = normalised_elements(folder, project)
    return {path: etree.tostring(element, method="c14n") for path, element in elements.items()}


def normalised_elements(folder: Path, project: MavenProject) -> dict[str, etree._Element]:
    """The same as elements of their own."""
    poms = _poms(folder, project)
    rests = {pom.path: copy.deepcopy(pom.project) for pom in poms}
    for rest in rests.values():
        _drop_text_between_elements(rest)
    _take_out_description(poms, rests.values())
    _take_out_versions(poms, rests, project)
    return rests


def own_versions(project: MavenProject) -> set[str]:
    """The versions of all modules, as far as they can be read without Maven."""
    return {module.version for module in project.modules if module.version}


def release_traces(folder: Path, project: MavenProject) -> set[str]:
    """Texts that show that a build depends on what normalised POMs leave out; none where no version is known."""
    versions = own_versions(project)
    elements = [one for pom in _poms(folder, project) for one in _described(pom.project)]
    told = {(one.text or "").strip() for element in elements for one in _set_by_releases(element)}
    return versions | told if versions else set()


def _poms(folder: Path, project: MavenProject) -> list[PomFile]:
    return [parse_pom(folder, path) for path in project.pom_files]


def _take_out_versions(poms: Collection[PomFile], rests: Mapping[str, etree._Element], project: MavenProject) -> None:
    """Mark the own versions, and take out those that stand for a module here: its own, that of a parent or dependency.

    None where it cannot be told without Maven whether a parent or dependency is the module here.
    """
    own = {(one.group, one.artifact): one.version for one in project.modules if one.version}
    marks = {version: str(number) for number, version in enumerate(dict.fromkeys(own.values()))}
    named = [(pom, *one) for pom in poms for one in _named_modules(pom, rests[pom.path], own)]
    if not all(_is_plain(pom.resolve(element.text)) for pom, element, _ in named):
        return
    for pom in poms:
        for element in _with_versions(rests[pom.path]):
            if mark := marks.get(pom.resolve(element.text) or ""):
                element.set(_OWN, mark)
    for _, element, version in named:
        if element.text == version:
            element.text = None


def _named_modules(
    pom: PomFile, rest: etree._Element, own: Mapping[tuple[str | None, str | None], str]
) -> Iterator[tuple[etree._Element, str]]:
    """The elements that hold a version of a module, with the version of that module here."""
    above = find(rest, "parent")
    whole = {"groupId": pom.coordinate("groupId"), "artifactId": pom.coordinate("artifactId")}
    for holder in (rest, *(() if above is None else (above,)), *rest.iter("{*}dependency")):
        group, artifact = (
            pom.resolve(whole[name] if holder is rest else text_of(holder, name)) for name in ("groupId", "artifactId")
        )
        if version := own.get((group, artifact)):
            yield from ((element, version) for element in children(holder, "version"))


def _with_versions(rest: etree._Element) -> Iterator[etree._Element]:
    """Where an own version may stand as a whole."""
    yield from rest.iter("{*}version")
    for properties in rest.iter("{*}properties"):
        yield from (one for one in properties if isinstance(one.tag, str))


def _is_plain(version: str | None) -> bool:
    """Whether a version is known and one version, not a range or what a registry has."""
    return version is not None and version[:1] not in ("[", "(") and version not in ("LATEST", "RELEASE")


def _take_out_description(poms: Collection[PomFile], rests: Collection[etree._Element]) -> None:
    """Take out what describes the project, and put back what the rest, or what was put back, refers to.

    A placeholder may name an element by any of its steps: `${project.parent.name}` and `${name}` alike.
    """
    given = "".join(value for pom in poms for value in pom.given.values())
    taken = [(above, one) for rest in rests for one in _described(rest) if (above := one.getparent()) is not None]
    for _, element in taken:
        take_out(element)
    while back := _referred(taken, _steps(given, rests)):
        taken = [pair for pair in taken if pair not in back]
        for above, element in back:
            above.append(element)
    if any(map(_is_below_a_registry, poms)):
        for above, element in taken:
            above.append(element)
            for one in _set_by_releases(element):
                one.text = None


def _referred(
    taken: Collection[tuple[etree._Element, etree._Element]], steps: Collection[str]
) -> list[tuple[etree._Element, etree._Element]]:
    return [(above, element) for above, element in taken if local_name(element).split(".")[-1] in steps]


def _described(rest: etree._Element) -> list[etree._Element]:
    described = [element for name in DESCRIPTIVE for element in children(rest, name)]
    return [*described, *children(find(rest, "properties"), TIMESTAMP)]


def _set_by_releases(described: etree._Element) -> Iterator[etree._Element]:
    """What each release sets of an element that describes the project, if its text would be seen in a build: a tag or a
    moment; not the name of a branch, which may stand there for other reasons."""
    if local_name(described) == "scm":
        for tag in children(described, "tag"):
            text = (tag.text or "").strip()
            if text == "HEAD" or any(map(str.isdigit, text)):
                yield tag
    elif local_name(described) == TIMESTAMP and len((described.text or "").strip()) >= _LEAST_OF_A_MOMENT:
        yield described


def _is_below_a_registry(pom: PomFile) -> bool:
    """Whether Maven takes the parent of a POM from a registry."""
    if pom.parent is None:
        return pom.remote_parent is not None
    wanted = pom.resolve(text_of(pom.project, "parent", "version"))
    return wanted != pom.parent.resolve(pom.parent.coordinate("version"))


def _steps(given: str, rests: Collection[etree._Element]) -> set[str]:
    """The steps of all names in placeholders."""
    text = given + "".join(etree.tostring(rest, encoding="unicode") for rest in rests)
    return {step for name in _PLACEHOLDER.findall(text) for step in _STEP.split(name)}


def take_out(element: etree._Element) -> None:
    """Remove an element from the one that holds it."""
    above = element.getparent()
    if above is not None:
        above.remove(element)


def _drop_text_between_elements(rest: etree._Element) -> None:
    """Indentation is not content; the text of elements without children is, apart from spaces around it."""
    for element in rest.iter():
        element.tail = None
        if element.text is not None:
            element.text = None if len(element) else element.text.strip()

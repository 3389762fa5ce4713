"""Normalise a POM: keep only what can change how a revision compiles and tests, so that Maven models are reused.

Releases change the version of the project itself and little more, and Maven takes seconds to say that nothing else
follows. Left out are the project's own version, wherever it stands for the project or its modules, and what describes
the project to people, unless the rest of the POM refers to it. What a build makes of the version is for
`testevo.builds.model.equivalent_models` to look at.
"""

import copy
import re
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
_REFERENCE = re.compile(r"\$\{(?:project\.|pom\.)?([\w.-]+)")


def normalised_pom(folder: Path, path: str, project: MavenProject) -> bytes:
    """The POM at `path` of the checkout `folder` in canonical form, without what cannot change a build.

    Raises:
        UnreadableBuildFileError: it is not a POM; `project` has been read from the same folder before.
    """
    return etree.tostring(normalised_element(folder, path, project), method="c14n")


def normalised_element(folder: Path, path: str, project: MavenProject) -> etree._Element:
    """The same as an element of its own."""
    pom = parse_pom(folder, path)
    rest = copy.deepcopy(pom.project)
    _drop_text_between_elements(rest)
    own = {(module.group, module.artifact) for module in project.modules}
    for element in (*_versions(rest, pom, own), *children(find(rest, "properties"), TIMESTAMP)):
        take_out(element)
    described = [element for name in DESCRIPTIVE for element in children(rest, name)]
    for element in described:
        take_out(element)
    for element in described:
        if _refers_to(rest, local_name(element)):
            rest.append(element)
    return rest


def own_versions(project: MavenProject) -> set[str]:
    """The versions of all modules, as far as they can be read without Maven."""
    return {module.version for module in project.modules if module.version}


def _versions(rest: etree._Element, pom: PomFile, own: set[tuple[str | None, str | None]]) -> list[etree._Element]:
    """The elements that hold the project's own version: its own, that of a parent, of dependencies among modules."""
    holders = [rest]
    holders += [
        element
        for name in ("parent", "dependency")
        for element in rest.iter(f"{{*}}{name}")
        if (pom.resolve(text_of(element, "groupId")), pom.resolve(text_of(element, "artifactId"))) in own
    ]
    return [version for holder in holders for version in children(holder, "version")]


def take_out(element: etree._Element) -> None:
    """Remove an element from the one that holds it."""
    above = element.getparent()
    if above is not None:
        above.remove(element)


def _refers_to(rest: etree._Element, name: str) -> bool:
    found = _REFERENCE.findall(etree.tostring(rest, encoding="unicode"))
    return any(one == name or one.startswith(f"{name}.") for one in found)


def _drop_text_between_elements(rest: etree._Element) -> None:
    """Indentation is not content; the text of elements without children is, apart from spaces around it."""
    for element in rest.iter():
        element.tail = None
        if element.text is not None:
            element.text = None if len(element) else element.text.strip()

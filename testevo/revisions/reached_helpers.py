"""Changes, between two revisions, of the helpers, fixtures and test resources that a test reaches (TEB-X09)."""

import re
from collections.abc import Collection, Iterator
from pathlib import PurePosixPath

from testevo.java.reach import Reached, literals_of
from testevo.java.tests import DeclaredTest
from testevo.records.methods import MethodKey, Side
from testevo.revisions.other_languages import OTHER_LANGUAGES, reached_files
from testevo.revisions.revision import RevisionView
from testevo.revisions.test_ends import TestEnds, same_annotations

LOADED_UNASKED = ("META-INF", "mockito-extensions", "junit-platform.properties")
"""Folders and files among test resources that engines and class loaders read for every test."""
READ_BY_LIBRARIES = re.compile(
    r"(?:application|bootstrap)(?:-[\w-]+)?\.(?:properties|ya?ml)|(?:schema|data|import)(?:-[\w-]+)?\.sql"
    r"|(?:hibernate|ehcache|quartz|jndi|persistence)[\w.-]*\.(?:xml|properties)"
)
"""Names of test resources that common libraries look for unasked."""
_NAME = re.compile(r"[\w$]+")
_FORM_OF_PLACE = re.compile(r"^(?:classpath\*?:|file:)?(?:\./)?(?:target/test-classes/)?")


def reached_changes(
    old: RevisionView,
    new: RevisionView,
    ends: TestEnds,
    changed_test_paths: Collection[str],
    changed_elsewhere: Collection[str],
    entered: Collection[MethodKey],
) -> tuple[str, ...]:
    """Name what differs of all that the old test reaches at the old revision, and the new test at the new one.

    Where the class of the test is new together with it, what the classes declare that are new in its file is no helper.

    Args:
        ends: the declarations that the candidate runs; None at an end where it is absent or does not count.
        changed_test_paths: paths below test folders, resources included, that differ.
        changed_elsewhere: paths that differ and belong neither to the tests nor to the production code.
        entered: the production methods that the new test enters on the new code.
    """
    found: set[str] = set()
    literals: set[str] = set()
    names: set[str] = set()
    others: set[str] = set()
    starts: set[str] = set()
    for here, there, test in ((new, old, ends.new), (old, new, ends.old)):
        if test is None:
            continue
        reach = here.test_sources.reach(test)
        literals |= reach.literals
        others |= reached_files(here.other_test_files, reach.words)
        names.add(PurePosixPath(test.path).stem)
        starts |= start_folder(here, test)
        arrives = is_new(test.method.key.type_name, there)
        for one in reach.declarations:
            comes_along = arrives and one.path == test.declared_in_path and is_new(one.type_name, there)
            if not comes_along and differs(one, here, there, test):
                found.add(one.name)
    resources = {path for path in changed_test_paths if not path.endswith((".java", *OTHER_LANGUAGES))}
    read = {path for path in resources if is_read(path, literals, names)}
    if resources - read:
        places = places_named(old, entered) | places_named(new, entered)
        folders = old.test_resource_folders | new.test_resource_folders
        read |= {path for path in resources - read if is_at(path, folders, places)}
    read |= opened(changed_elsewhere, starts, literals)
    return tuple(sorted(found | read | others.intersection(changed_test_paths)))


def is_new(type_name: str, there: RevisionView) -> bool:
    """Whether the test sources of the other revision have no type of that name."""
    return type_name not in there.test_sources.declarations


def differs(one: Reached, here: RevisionView, there: RevisionView, test: DeclaredTest) -> bool:
    """Whether a declaration is absent at the other revision, or differs: a method in byte code, when its text or an
    import of its file differs; what has no byte code of its own in text, or in an import of a name that it holds."""
    others = there.test_sources.declarations.get(one.name, [])
    other = next((other for other in others if other.path == one.path), others[0] if others else None)
    if other is None:
        return True
    if not same_annotations(one.annotations, other.annotations) and not holds(one.name, test):
        return True
    if one.text == other.text and set(one.imports) == set(other.imports):
        return False
    digests = [view.byte_code(Side.TEST).methods.get(one.key) if one.key else None for view in (here, there)]
    if None in digests:
        return one.text != other.text or names_others(one, other)
    return digests[0] != digests[1]


def names_others(one: Reached, other: Reached) -> bool:
    """Whether single imports of the files of two equal texts tell another meaning of a name that they hold."""
    here, there = ({line.rpartition(".")[2]: line for line in end.imports} for end in (one, other))
    return any(here[name] != there[name] for name in _NAME.findall(one.text) if name in here and name in there)


def holds(type_name: str, test: DeclaredTest) -> bool:
    """Whether a type is the class of the test or around it, whose annotations belong to the test in its file."""
    return any(f"{own}$".startswith(f"{type_name}$") for own in (test.type_name, test.method.key.type_name))


def is_read(path: str, literals: Collection[str], class_names: Collection[str]) -> bool:
    """Whether a test may read a resource: a literal spells its name, with or without its ending, or a folder it lies
    in; its name begins with that of the test class; or it is read for every test."""
    parts = PurePosixPath(path).parts
    if any(name in parts for name in LOADED_UNASKED) or READ_BY_LIBRARIES.fullmatch(parts[-1]):
        return True
    if parts[-1].startswith(tuple(class_names)):
        return True
    return any(spells(literal, parts) for literal in literals)


def spells(literal: str, parts: tuple[str, ...]) -> bool:
    """Whether a literal is a run of the parts of a path, beyond the names of the common folders above."""
    said = place_of(literal)
    return any(said in (run, (*run[:-1], PurePosixPath(run[-1]).stem)) for run in runs_of(parts, len(said)))


def start_folder(view: RevisionView, test: DeclaredTest) -> set[str]:
    """The working directory of a test, relative to the repository, with a slash behind it; none for the repository."""
    place = view.place(test.path)
    folder = PurePosixPath(place[0].path, place[0].settings.working_directory) if place else PurePosixPath()
    return {f"{folder}/"} - {"./"}


def opened(paths: Collection[str], starts: Collection[str], literals: Collection[str]) -> set[str]:
    """The files that a test may open below one of the folders in which it starts, or below the repository: literals
    spell all parts of the path, or one spells the folders that it begins with. A file of no folder does not count."""
    said = {part for literal in literals for part in place_of(literal)}
    folders = {place_of(literal) for literal in literals if "/" in literal.strip("/") or literal.endswith("/")}
    found = set()
    for path in paths:
        start = max((start for start in starts if path.startswith(start)), key=len, default="")
        parts = PurePosixPath(path.removeprefix(start)).parts
        below = any(parts[:length] in folders for length in range(1, len(parts)))
        if below or (len(parts) > 1 and said.issuperset(parts)):
            found.add(path)
    return found


def place_of(literal: str) -> tuple[str, ...]:
    """The parts of the path that a literal spells."""
    place = _FORM_OF_PLACE.sub("", literal, count=1)
    return tuple(part for part in place.split("/") if part not in ("", ".", ".."))


def runs_of(parts: tuple[str, ...], length: int) -> Iterator[tuple[str, ...]]:
    """The runs of a length in a path; of one part alone, those that are not folders of the standard layout."""
    for start in range(len(parts) - length + 1 if length else 0):
        run = parts[start : start + length]
        if length > 1 or run[0] not in ("src", "test", "resources"):
            yield run


def places_named(view: RevisionView, entered: Collection[MethodKey]) -> set[tuple[str, ...]]:
    """Where class loaders look for what production methods name: below the class path, and beside the class."""
    named = ((file, place_of(literal)) for file in view.declaring(entered) for literal in literals_of(file, entered))
    return {place for file, said in named if said for place in (said, (*file.package.split("."), *said))}


def is_at(path: str, folders: Collection[str], places: Collection[tuple[str, ...]]) -> bool:
    """Whether a test resource, with or without its ending, lies at one of some places on the class path.

    Args:
        folders: whose content is on the class path, each with a slash behind it.
    """
    below = [PurePosixPath(path.removeprefix(folder)) for folder in folders if path.startswith(folder)]
    return any((*one.parts[:-1], form) in places for one in below for form in (one.name, one.stem))

"""Files that the resources plugin leaves out by itself, by its version: what version control and editors leave behind.

Measured with each version that is named here (Maven 3.8 and 3.9 do alike), by copying one file for each pattern that
some version knows. The list is one of Plexus Utils, whose version the plugin chooses.
"""

from collections.abc import Mapping

from testevo.builds.model.build_record import BuildPlugin
from testevo.builds.model.resources.class_folders import RESOURCES


def _patterns(names: str, folders: str = "") -> tuple[str, ...]:
    """Patterns at any depth: of files, and of files or whole folders."""
    whole = (pattern for name in folders.split() for pattern in (f"**/{name}", f"**/{name}/**"))
    return (*(f"**/{name}" for name in names.split()), *whole)


_SINCE_2_2 = _patterns("*~ #*# .#* %*% ._* .cvsignore vssver.scc .DS_Store", "CVS SCCS .svn .arch-ids")
_SINCE_2_3 = (*_SINCE_2_2, *_patterns(".MySCMServerInfo", ".bzr"))
_SINCE_2_4 = (
    *_SINCE_2_3,
    *_patterns("-darcs-backup* .darcs-temp-mail", "RCS .metadata .hg .git BitKeeper ChangeSet _darcs .darcsrepo"),
)
_WITH_PROJECT = (*_SINCE_2_4, *_patterns("project.pj"))
_SINCE_2_7 = (*_WITH_PROJECT, *_patterns(".gitignore .gitattributes"))
_WITH_MERCURIAL = (*_SINCE_2_7, *_patterns(".hgignore"))
_BY_VERSION: Mapping[str, tuple[str, ...]] = {
    "2.2": _SINCE_2_2,
    "2.3": _SINCE_2_3,
    **dict.fromkeys(("2.4", "2.4.1", "2.4.2", "2.4.3", "2.5", "2.6"), _SINCE_2_4),
    "2.7": _SINCE_2_7,
    **dict.fromkeys(("3.0.0", "3.0.1", "3.0.2", "3.1.0"), _WITH_MERCURIAL),
    "3.2.0": _SINCE_2_7,
    "3.3.0": _WITH_MERCURIAL,
    "3.3.1": _WITH_PROJECT,
    "3.4.0": (*_WITH_PROJECT, *_patterns(".gitignore")),
    "3.5.0": _WITH_PROJECT,
}


def default_excludes(plugin: BuildPlugin | None) -> tuple[str, ...]:
    """The patterns of a version of the plugin; none of one that is not known (`unknown_excludes`)."""
    return _BY_VERSION.get((plugin.version if plugin else None) or "", ())


def unknown_excludes(plugin: BuildPlugin | None) -> str | None:
    """Why nobody knows which files the plugin leaves out; None where that is known."""
    if plugin is None:
        return None
    if plugin.dependencies:
        return f"{RESOURCES} depends on {plugin.dependencies[0]}"
    return None if plugin.version in _BY_VERSION else f"{RESOURCES} {plugin.version} may leave out other files"

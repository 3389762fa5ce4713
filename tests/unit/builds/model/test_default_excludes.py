"""Files that the resources plugin leaves out by itself, as measured with its versions."""

import pytest

from testevo.builds.model.build_record import BuildPlugin
from testevo.builds.model.resources.default_excludes import default_excludes, unknown_excludes
from testevo.builds.model.sources import selected

CONTESTED = {
    ".bzr/f",
    ".MySCMServerInfo",
    "ChangeSet/f",
    "_darcs/f",
    ".darcsrepo",
    "-darcs-backup1",
    "RCS/f",
    ".git/f",
    ".metadata/f",
    "BitKeeper",
    "project.pj",
    ".gitignore",
    ".gitattributes",
    ".hgignore",
}
"""What some versions copy and others do not."""
COPIED = {
    "2.2": CONTESTED,
    "2.3": CONTESTED - {".bzr/f", ".MySCMServerInfo"},
    "2.6": {"project.pj", ".gitignore", ".gitattributes", ".hgignore"},
    "2.7": {".hgignore"},
    "3.1.0": set(),
    "3.2.0": {".hgignore"},
    "3.3.0": set(),
    "3.3.1": {".gitignore", ".gitattributes", ".hgignore"},
    "3.4.0": {".gitattributes", ".hgignore"},
    "3.5.0": {".gitignore", ".gitattributes", ".hgignore"},
}
"""By version, which of them it copies: read off its output folder."""


def plugin(version: str, *dependencies: str) -> BuildPlugin:
    return BuildPlugin(artifact="maven-resources-plugin", version=version, dependencies=dependencies)


@pytest.mark.parametrize("version", COPIED)
def test_each_version_copies_what_it_was_seen_to_copy(version: str) -> None:
    excludes = default_excludes(plugin(version))
    for folder in ("", "a/b/"):
        assert {one for one in CONTESTED if selected(f"{folder}{one}", (), excludes)} == COPIED[version]
        assert not selected(f"{folder}.svn/f", (), excludes) and not selected(f"{folder}a~", (), excludes)
        assert selected(f"{folder}.gitmodules", (), excludes) and selected(f"{folder}a.orig", (), excludes)
    assert unknown_excludes(plugin(version)) is None


def test_another_version_and_another_scanner_are_not_known() -> None:
    assert unknown_excludes(plugin("4.0.0")) == "maven-resources-plugin 4.0.0 may leave out other files"
    said = unknown_excludes(plugin("3.3.1", "org.codehaus.plexus:plexus-utils"))
    assert said == "maven-resources-plugin depends on org.codehaus.plexus:plexus-utils"

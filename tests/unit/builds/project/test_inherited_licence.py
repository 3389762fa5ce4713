"""Licences that a project inherits from parents in the local Maven repository (TEB-M04)."""

from pathlib import Path

import pytest

from testevo.builds.project.inherited_licence import inherited_licence
from testevo.packaging.dataset.inherited_licences import with_inherited_licences
from testevo.records.repository import Commit, Repository, SourceKind
from testevo.records.verdicts import BuildOutcome, BuildVerdict
from testevo.sources.licences import NONE_DECLARED, Licence

MIT = "<licenses><license><name>MIT License</name></license></licenses>"
OWN = "<licenses><license><name>Our own</name></license></licenses>"


def pom(parent: str = "", more: str = "") -> str:
    if parent:
        names = zip(("groupId", "artifactId", "version"), parent.split(":"), strict=True)
        parent = f"<parent>{''.join(f'<{name}>{text}</{name}>' for name, text in names)}</parent>"
    return f"<project><modelVersion>4.0.0</modelVersion>{parent}<artifactId>a</artifactId>{more}</project>"


@pytest.mark.parametrize(
    ("own", "near", "far", "found"),
    [
        (pom("o.x:near:1"), pom("o.x:far:2"), pom(more=MIT), Licence("MIT", "pom.xml of the parent o.x:far:2")),
        (pom("o.x:near:1"), pom("o.x:far:2", OWN), pom(more=MIT), "o.x:near:1 declares a licence that is not known"),
        (pom("o.x:near:1"), pom("o.x:far:2"), pom(), "no POM up to the parent o.x:far:2 declares one"),
        (pom("o.x:near:1"), pom("o.x:far:2"), None, "the parent o.x:far:2 is not in the local repository"),
        (pom("o.x:near:1", MIT), pom(more=OWN), None, None),
        (pom(), pom(more=MIT), None, None),
        (pom("o.x:near:${v}"), pom(more=MIT), None, "the parent o.x:near:${v} cannot be looked up"),
        (pom("..:near:1"), pom(more=MIT), None, "the parent ..:near:1 cannot be looked up"),
        ("no POM", None, None, None),
    ],
)
def test_the_nearest_parent_that_declares_some_tells(
    tmp_path: Path, own: str, near: str | None, far: str | None, found: Licence | str | None
) -> None:
    (tmp_path / "project").mkdir()
    (tmp_path / "project" / "pom.xml").write_text(own)
    for artifact, version, text in (("near", "1", near), ("far", "2", far)):
        folder = tmp_path / "local" / "o" / "x" / artifact / version
        folder.mkdir(parents=True)
        if text is not None:
            (folder / f"{artifact}-{version}.pom").write_text(text)
    licence = inherited_licence(tmp_path / "project", tmp_path / "local")
    if isinstance(found, str):
        assert licence is not None and licence.spdx is None and found in licence.origin
    else:
        assert licence == found


def test_the_dataset_takes_it_where_nothing_nearer_tells_from_the_newest_built_commit() -> None:
    repositories = [
        Repository(name="o/a", source=SourceKind.LIST, address="x", licence_origin=NONE_DECLARED),
        Repository(name="o/b", source=SourceKind.LIST, address="x", licence_origin="LICENSE: a text that is not known"),
        Repository(name="o/c", source=SourceKind.LIST, address="x", licence_origin=NONE_DECLARED),
    ]
    commits = [
        Commit(
            repository=one.name,
            position=position,
            revision=str(position),
            parents=(),
            author_time=0,
            committer_time=0,
            java_tree="",
            first_parent_line=True,
        )
        for one in repositories
        for position in range(3)
    ]
    told: dict[str, tuple[str | None, str | None]] = {"0": (None, None), "1": ("MIT", "p:1"), "2": ("EPL-2.0", "p:0")}
    builds = [
        BuildVerdict(
            repository=name,
            revision=revision,
            outcome=BuildOutcome.BUILT,
            reason="",
            inherited_licence=spdx,
            inherited_licence_origin=origin,
        )
        for name in ("o/a", "o/b")
        for revision, (spdx, origin) in told.items()
    ]
    found = with_inherited_licences(repositories, commits, builds)
    assert (found[0].licence, found[0].licence_origin) == ("MIT", "p:1")
    assert found[1:] == repositories[1:]

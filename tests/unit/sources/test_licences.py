"""Licences: known texts and declarations by their SPDX id, anything else by what was found."""

import zipfile
from pathlib import Path

import pytest

from testevo.history.git import GitRepository
from testevo.history.licence import with_licence
from testevo.records.repository import Repository, SourceKind
from testevo.sources.embedded.made_history import MadeCommit, MadeFile, make_history
from testevo.sources.licences import declared_in, licence_files, licence_of, recognised
from testevo.sources.releases import release_licence

PROJECT = Path(__file__).resolve().parents[3]
MIT = (PROJECT / "LICENSE").read_text()
APACHE = (
    "   Apache License\n  Version 2.0, January 2004\n http://www.apache.org/licenses/\n\n"
    "TERMS AND CONDITIONS FOR USE, REPRODUCTION, AND DISTRIBUTION\n1. Definitions.\n" + "words " * 1500
)
BSD2 = (
    "Copyright (c) 2020, Somebody\n\nRedistribution and use in source and binary forms, with or without\n"
    "modification, are permitted provided that the following conditions are met: ..."
)
BSD3 = BSD2 + (
    "\nNeither the name of the copyright holder nor the names of its contributors may be used to endorse or "
    "promote products derived from this software without specific prior written permission."
)
GPL2 = "GNU GENERAL PUBLIC LICENSE\nVersion 2, June 1991\n ... allowed only for noncommercial distribution ..."
LGPL3 = "GNU LESSER GENERAL PUBLIC LICENSE\nVersion 3, 29 June 2007\n ... version 3 of the GNU General Public License"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (MIT, {"MIT"}),
        (APACHE, {"Apache-2.0"}),
        (BSD2, {"BSD-2-Clause"}),
        (BSD3, {"BSD-3-Clause"}),
        (GPL2, {"GPL-2.0"}),
        (LGPL3, {"LGPL-3.0"}),
        (MIT + "\nThe Software shall be used for Good, not Evil.", {"JSON"}),
        (f'"Commons Clause" License Condition v1.0\n{APACHE}', set()),
        (MIT + "\nOnly for non-commercial use.", set()),
        (MIT + "further conditions " * 300, set()),
        (BSD2 + " All advertising materials mentioning features must display ...", set()),
        (APACHE + MIT, {"Apache-2.0", "MIT"}),
        ("All rights reserved.", set()),
        ("", set()),
    ],
)
def test_texts_are_known_or_not_guessed_at(text: str, expected: set[str]) -> None:
    assert recognised(text) == expected


def test_the_file_that_says_so_is_named() -> None:
    assert licence_files(["LICENSE", "src", "LICENCE.txt", "COPYING", "License.md", "licenses.xml", "README"]) == [
        "LICENSE",
        "LICENCE.txt",
        "COPYING",
        "License.md",
    ]
    found = licence_of({"LICENSE.txt": MIT.encode()}, None)
    assert (found.spdx, found.origin) == ("MIT", "LICENSE.txt")
    several = licence_of({"COPYING": GPL2.encode(), "LICENSE": MIT.encode()}, None)
    assert (several.spdx, several.origin) == (None, "COPYING, LICENSE: several licences, GPL-2.0, MIT")
    unknown = licence_of({"LICENSE": b"\xff\x00 ours"}, pom("MIT").encode())
    assert (unknown.spdx, unknown.origin) == (None, "LICENSE: a text that is not known")


def pom(*names: str) -> str:
    licences = "".join(f"<license><name>{name}</name></license>" for name in names)
    return f'<project xmlns="http://maven.apache.org/POM/4.0.0"><licenses>{licences}</licenses></project>'


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["Apache License, Version 2.0"], "Apache-2.0"),
        (["The Apache Software License, Version 2.0"], "Apache-2.0"),
        (["The MIT License"], "MIT"),
        (["Eclipse Public License v2.0"], "EPL-2.0"),
        (["GNU Lesser General Public License v2.1"], "LGPL-2.1"),
        (["MIT License", "Apache-2.0"], "Apache-2.0 OR MIT"),
        (["MIT License", "Our own"], None),
    ],
)
def test_a_pom_declares_licences(names: list[str], expected: str | None) -> None:
    found = declared_in(pom(*names).encode())
    assert found is not None and found.spdx == expected


def test_a_pom_without_licences_says_nothing() -> None:
    assert declared_in(b"<project/>") is None
    assert declared_in(b"<project") is None
    assert licence_of({}, b"<project/>").origin == "no licence file, and pom.xml itself declares none"


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({"LICENSE": MIT, "lib/LICENSE": GPL2}, ("MIT", "LICENSE")),
        ({"pom.xml": pom("Apache-2.0")}, ("Apache-2.0", "pom.xml")),
        ({"a.txt": ""}, (None, "no licence file, and pom.xml itself declares none")),
    ],
)
def test_a_history_has_the_licence_of_its_start(
    files: dict[str, str], expected: tuple[str | None, str], tmp_path: Path
) -> None:
    tree = {path: MadeFile(text.encode()) for path, text in files.items()}
    folder = make_history(tmp_path / "r.git", [MadeCommit("a", "a", 1000, 1000, (), tree)], {}).folder
    repository = Repository(name="o/r", source=SourceKind.LIST, address="o/r", start="main")
    found = with_licence(repository, GitRepository(folder))
    assert (found.licence, found.licence_origin) == expected


def test_a_release_has_the_licence_in_its_sources_jar(tmp_path: Path) -> None:
    """Archivers put it into META-INF, which is not a part of the history."""
    (tmp_path / "pom.xml").write_text("<project/>")
    with zipfile.ZipFile(tmp_path / "sources.jar", "w") as archive:
        archive.writestr("META-INF/LICENSE.txt", APACHE)
        archive.writestr("p/LICENSE", GPL2)
    found = release_licence(tmp_path)
    assert (found.spdx, found.origin) == ("Apache-2.0", "META-INF/LICENSE.txt")

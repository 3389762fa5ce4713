"""The licence of a history, recognised by the known text of its licence file, or by what its POM declares.

A text that is not surely one known licence is not guessed at: the record then says what was found. Parents in a Maven
repository are asked by the build, which needs them (`testevo.builds.project.inherited_licence`).
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath

from lxml import etree

LICENCE_FILE = re.compile(r"(UN)?(LICEN[CS]E|COPYING)([.-][\w.-]+)?", re.IGNORECASE)
"""The name of a licence file in the top folder of a project, or in `META-INF` of its jar."""

_MIT = (
    "permission is hereby granted free of charge to any person obtaining a copy of this software and associated "
    "documentation",
    "without restriction including without limitation the rights to use copy modify merge publish distribute "
    "sublicense and or sell",
)
_BSD = (
    "redistribution and use in source and binary forms with or without modification are permitted provided that the "
    "following conditions"
)
_ISC = (
    "permission to use copy modify and or distribute this software for any purpose with or without fee is hereby "
    "granted provided that the above copyright notice"
)
_APACHE_HEADER = ("licensed under the apache license version 2 0", "you may not use this file except in compliance")
_ENDORSE = "to endorse or promote products derived from this software without specific prior written permission"

TEXTS: tuple[tuple[str, tuple[str, ...], tuple[str, ...]], ...] = (
    ("Apache-2.0", ("apache license version 2 0", "terms and conditions for use reproduction and distribution"), ()),
    ("Apache-2.0", _APACHE_HEADER, ()),
    ("MIT", _MIT, ("good not evil",)),
    ("JSON", (*_MIT, "the software shall be used for good not evil"), ()),
    ("BSD-3-Clause", (_BSD, _ENDORSE), ("all advertising materials",)),
    ("BSD-2-Clause", (_BSD,), ("to endorse or promote products", "all advertising materials")),
    ("ISC", (_ISC,), ()),
    ("EPL-1.0", ("eclipse public license v 1 0",), ()),
    ("EPL-2.0", ("eclipse public license v 2 0",), ()),
    ("MPL-2.0", ("mozilla public license version 2 0", "1 definitions"), ()),
    ("GPL-2.0", ("gnu general public license version 2 june 1991",), ()),
    ("GPL-3.0", ("gnu general public license version 3 29 june 2007",), ()),
    ("LGPL-2.1", ("gnu lesser general public license version 2 1 february 1999",), ()),
    ("LGPL-3.0", ("gnu lesser general public license version 3 29 june 2007",), ()),
    ("AGPL-3.0", ("gnu affero general public license version 3 19 november 2007",), ()),
    ("CC0-1.0", ("cc0 1 0 universal",), ()),
    ("Unlicense", ("this is free and unencumbered software released into the public domain",), ()),
    ("BSL-1.0", ("boost software license version 1 0",), ()),
)
"""SPDX id, what a text must hold, and what it must not; both normalised as by `_normalised`.

The text of a GNU licence does not say whether later versions are allowed; its id is the one without that.
"""

RESTRICTIONS = ("commons clause", "business source license")
"""Words that make a known text another licence."""

RESTRICTIONS_OF_SHORT_TEXTS = ("non commercial", "noncommercial", "evaluation purposes")
"""Words that do so in a licence of one page; longer ones use these words themselves."""

SHORT_TEXTS = {"MIT": 400, "JSON": 400, "BSD-2-Clause": 400, "BSD-3-Clause": 450, "ISC": 250}
"""Licences of one page, and the most words that a file may have which holds nothing else."""

DECLARED: tuple[tuple[str, str], ...] = (
    (
        "Apache-2.0",
        r"apache( software)? licen[cs]e\W*(version |v)?\W*2|apache\W*2(\.0)?\b|apache\.org/licenses/license-2\.0",
    ),
    ("MIT", r"\b(the )?mit( licen[cs]e)?$|opensource\.org/licenses?/mit\b"),
    ("BSD-3-Clause", r"\bbsd[ -]3|3-clause bsd|(new|revised) bsd|opensource\.org/licenses?/bsd-3-clause"),
    ("BSD-2-Clause", r"\bbsd[ -]2|2-clause bsd|simplified bsd|opensource\.org/licenses?/bsd-2-clause"),
    ("EPL-1.0", r"eclipse public licen[cs]e\W*(version |v)?\W*1|\bepl\W*1|epl-v10"),
    ("EPL-2.0", r"eclipse public licen[cs]e\W*(version |v)?\W*2|\bepl\W*2|epl-v20|epl-2\.0"),
    ("MPL-2.0", r"mozilla public licen[cs]e\W*(version |v)?\W*2|\bmpl\W*2"),
    ("LGPL-2.1", r"lesser general public licen[cs]e\W*(version |v)?\W*2\.1|\blgpl\W*(v\W*)?2\.1"),
    ("LGPL-3.0", r"lesser general public licen[cs]e\W*(version |v)?\W*3|\blgpl\W*(v\W*)?3"),
    ("GPL-2.0", r"gnu general public licen[cs]e\W*(version |v)?\W*2|\bgpl\W*(v\W*)?2"),
    ("GPL-3.0", r"gnu general public licen[cs]e\W*(version |v)?\W*3|\bgpl\W*(v\W*)?3"),
    ("CC0-1.0", r"\bcc0\b|creativecommons\.org/publicdomain/zero/1\.0"),
)
"""SPDX id, and how POMs name it."""


NONE_DECLARED = "no licence file, and pom.xml itself declares none"


@dataclass(frozen=True)
class Licence:
    """An SPDX id, or None; and where it was found, or why there is none."""

    spdx: str | None
    origin: str


def licence_of(files: Mapping[str, bytes], pom: bytes | None) -> Licence:
    """The licence of a project.

    Args:
        files: its licence files by name, as `LICENCE_FILE` knows them.
        pom: its `pom.xml`, which is asked where there is no licence file.
    """
    if files:
        found = {name: recognised(content.decode("utf-8", "replace")) for name, content in sorted(files.items())}
        known = sorted(set[str]().union(*found.values()))
        if len(known) == 1 and all(found.values()):
            return Licence(known[0], ", ".join(found))
        said = f"several licences, {', '.join(known)}" if len(known) > 1 else "a text that is not known"
        return Licence(None, f"{', '.join(found)}: {said}")
    declared = declared_in(pom) if pom is not None else None
    return declared or Licence(None, NONE_DECLARED)


def licence_files(names: list[str]) -> list[str]:
    """The licence files among files of one folder."""
    return [name for name in names if LICENCE_FILE.fullmatch(PurePosixPath(name).name)]


def recognised(text: str) -> set[str]:
    """The SPDX ids of the known licences that a text holds; none where a restriction changes what it grants."""
    plain = _normalised(text)
    if any(restriction in plain for restriction in RESTRICTIONS):
        return set()
    found = {
        spdx
        for spdx, wanted, unwanted in TEXTS
        if all(words in plain for words in wanted) and not any(words in plain for words in unwanted)
    }
    if len(found) != 1 or not found & SHORT_TEXTS.keys():
        return found
    (spdx,) = found
    restricted = any(restriction in plain for restriction in RESTRICTIONS_OF_SHORT_TEXTS)
    return set() if restricted or len(plain.split()) > SHORT_TEXTS[spdx] else found


def declared_in(pom: bytes, origin: str = "pom.xml") -> Licence | None:
    """The licences of `<licenses>` in a POM, where all are known; of several, users choose, as Maven's manual says."""
    try:
        project = etree.fromstring(pom, etree.XMLParser(resolve_entities=False, no_network=True))
    except etree.XMLSyntaxError:
        return None
    named = [
        [(part.text or "").strip().lower() for part in licence if isinstance(part.tag, str)]
        for licence in project.iterfind("{*}licenses/{*}license")
    ]
    ids = [_declared(words) for words in named]
    if not ids:
        return None
    known = [spdx for spdx in ids if spdx is not None]
    if len(known) < len(ids):
        return Licence(None, f"{origin} declares a licence that is not known by its name")
    return Licence(" OR ".join(sorted(set(known))), origin)


def _declared(words: list[str]) -> str | None:
    """The SPDX id of a licence by its name, its address and what else a POM says of it."""
    return next((spdx for spdx, pattern in DECLARED if any(re.search(pattern, one) for one in words)), None)


def _normalised(text: str) -> str:
    """Lower-case words and numbers only, one space apart."""
    return " ".join(re.findall(r"[a-z0-9]+", text.lower()))

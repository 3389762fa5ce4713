"""Reads PIT's `mutations.xml` (PIT 1.20)."""

from collections.abc import Mapping
from pathlib import PurePosixPath

from lxml import etree

from testevo.records.evaluation.second_opinions import PitMutation, PitStatus

_STATUSES = {status.value.upper(): status for status in PitStatus}
"""Without STARTED and NOT_STARTED, which say that PIT did not finish."""


def read_report(report: bytes, lines: Mapping[str, frozenset[int]]) -> list[PitMutation]:
    """The mutations on some lines, sorted; those elsewhere are left out.

    Args:
        lines: by repository-relative path of the source file. A class belongs to the file whose path ends with the
            folders of its package and the name of its source file.

    Raises:
        ValueError: no report of PIT, or one of a run that did not finish.
    """
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False)
    try:
        root = etree.fromstring(report, parser)
    except etree.XMLSyntaxError as error:
        raise ValueError(f"no XML: {error}") from error
    if root.tag != "mutations" or b"<!DOCTYPE" in report:
        raise ValueError(f"no report of PIT: `{root.tag}`, or with a document type")
    found = [one for element in root.iterfind("mutation") if (one := _mutation(element, lines)) is not None]
    return sorted(
        found, key=lambda one: (one.path, one.line, one.type_name, one.method, one.descriptor, one.mutator, one.indexes)
    )


def _mutation(element: "etree._Element", lines: Mapping[str, frozenset[int]]) -> PitMutation | None:
    line = int(_text(element, "lineNumber"))
    type_name = _text(element, "mutatedClass")
    source = PurePosixPath(*type_name.split(".")[:-1], _text(element, "sourceFile"))
    path = next((path for path in sorted(lines) if line in lines[path] and _ends_with(path, source)), None)
    if path is None:
        return None
    status = _STATUSES.get(element.get("status", ""))
    if status is None:
        raise ValueError(f"PIT leaves a mutation {element.get('status')}")
    return PitMutation(
        path=path,
        line=line,
        type_name=type_name,
        method=_text(element, "mutatedMethod"),
        descriptor=_text(element, "methodDescription"),
        mutator=_text(element, "mutator").rpartition(".")[2],
        indexes=tuple(int(index.text or "") for index in element.iterfind("indexes/index")),
        status=status,
    )


def _ends_with(path: str, source: PurePosixPath) -> bool:
    return path == str(source) or path.endswith(f"/{source}")


def _text(element: "etree._Element", name: str) -> str:
    text = element.findtext(name)
    if not text:
        raise ValueError(f"a mutation without `{name}`")
    return text

"""JUnit-style XML and the log folder of a run (TEB-X04, E07), safe for any bytes a test writes."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from lxml import etree

from testevo.records.methods import TestKey
from testevo.records.verdicts import Outcome
from testevo.runtime.files.files import write_atomically

RESULT = "result.xml"
"""The report of a run in the folder of its logs."""
_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@dataclass(frozen=True)
class Case:
    """A test case of a report."""

    test: TestKey
    outcome: Outcome
    exception: str | None = None
    message: str | None = None
    trace: str | None = None


def report(name: str, cases: Sequence[Case], stdout: bytes = b"", stderr: bytes = b"") -> bytes:
    """A `<testsuite>` with one `<testcase>` per case. No times: equal runs give equal bytes.

    Assertion failures become `<failure>`; skipped and aborted tests `<skipped>`; everything else that is not a pass
    `<error>`. The exact outcome is in the property `outcome` of each case.
    """
    counts = {
        "tests": len(cases),
        "failures": sum(case.outcome is Outcome.ASSERTION_FAILED for case in cases),
        "errors": sum(_tag(case.outcome) == "error" for case in cases),
        "skipped": sum(_tag(case.outcome) == "skipped" for case in cases),
    }
    suite = etree.Element("testsuite", {"name": printable(name)} | {key: str(value) for key, value in counts.items()})
    for case in cases:
        suite.append(_case(case))
    for tag, content in (("system-out", stdout), ("system-err", stderr)):
        if content:
            etree.SubElement(suite, tag).text = printable(content)
    return etree.tostring(suite, encoding="UTF-8", xml_declaration=True, pretty_print=True)


def trace_in(content: bytes) -> str | None:
    """The stack trace that a report of one run holds, None where the test did not throw.

    Raises:
        etree.XMLSyntaxError: it is no XML.
    """
    suite = etree.fromstring(content, etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=True))
    found = (suite.findtext(f"testcase/{tag}") for tag in ("failure", "error", "skipped"))
    return next((text for text in found if text), None)


def write_logs(folder: Path, case: Case, stdout: bytes, stderr: bytes) -> None:
    """Write `stdout` and `stderr` as the bytes they are, and `result.xml`, into the folder of one run.

    Raises:
        MachineError: the folder cannot be written.
    """
    write_atomically(folder / "stdout", stdout)
    write_atomically(folder / "stderr", stderr)
    write_atomically(folder / RESULT, report(case.test.type_name, [case], stdout, stderr))


def printable(content: str | bytes) -> str:
    """Text that XML can hold: undecodable bytes and forbidden characters are shown as escapes."""
    text = content.decode("utf-8", "backslashreplace") if isinstance(content, bytes) else content
    return _NOT_XML.sub(lambda match: f"\\u{ord(match.group()):04x}", text)


def _case(case: Case) -> "etree._Element":
    parameters = f"({','.join(case.test.parameters)})" if case.test.parameters else ""
    element = etree.Element(
        "testcase", {"classname": printable(case.test.type_name), "name": printable(case.test.name + parameters)}
    )
    properties = etree.SubElement(element, "properties")
    etree.SubElement(properties, "property", {"name": "outcome", "value": case.outcome.value})
    tag = _tag(case.outcome)
    if tag is not None:
        attributes = {"type": printable(case.exception or case.outcome.value)}
        if case.message is not None:
            attributes["message"] = printable(case.message)
        etree.SubElement(element, tag, attributes).text = printable(case.trace or "")
    return element


def _tag(outcome: Outcome) -> str | None:
    if outcome is Outcome.PASSED:
        return None
    if outcome in (Outcome.SKIPPED, Outcome.ABORTED):
        return "skipped"
    return "failure" if outcome is Outcome.ASSERTION_FAILED else "error"

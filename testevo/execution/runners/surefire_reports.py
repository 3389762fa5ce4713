"""Surefire's XML reports of a module, read as files that the tests could have written or replaced."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from lxml import etree

from testevo.builds.engine import BuiltModule
from testevo.execution.discovery.discovery import DeclaredTests
from testevo.execution.runners.maven_tests import report_folders
from testevo.execution.verdicts.channel import CLASS_LEVEL, RunTest, Verdict, bare_method_name, merge
from testevo.records.verdicts import Outcome
from testevo.runtime.files.plain_files import read_plain

MOST_BYTES = 64 * 2**20
"""Of a report, which holds what the tests of a class printed."""
_SUFFIX = re.compile(r"[\[(]")
_ASSUMPTION = re.compile(r"TestAborted|AssumptionViolated")


class NoReportError(Exception):
    """A file in the place of a report is none."""


@dataclass(frozen=True)
class ModuleReports:
    """What Surefire reports of a module."""

    verdicts: dict[RunTest, Verdict]
    fault: str = ""
    """Why the reports cannot be relied on; empty where all can be read."""


def read_reports(module: BuiltModule, folder: Path) -> ModuleReports:
    """Verdicts from all `TEST-*.xml` of a module; failures of whole classes count for all their tests.

    The tests themselves could have written any of these files.

    Args:
        folder: where its POM lies.
    """
    found: dict[RunTest, list[Verdict]] = {}
    declared = DeclaredTests(module)
    for file in sorted(file for reports in report_folders(folder) for file in reports.glob("TEST-*.xml")):
        place = file.relative_to(folder).as_posix()
        content = read_plain(folder, place, MOST_BYTES + 1)
        if content is None or len(content) > MOST_BYTES:
            return ModuleReports({}, f"{place} is no plain file of at most {MOST_BYTES} bytes")
        try:
            for test, verdict in read_report(content):
                found.setdefault(_typed(test, declared), []).append(verdict)
        except NoReportError as error:
            return ModuleReports({}, f"{place} is no report: {error}")
    return ModuleReports(_of_classes_too(found, declared))


def _of_classes_too(found: dict[RunTest, list[Verdict]], declared: DeclaredTests) -> dict[RunTest, Verdict]:
    verdicts = {test: merge(parts) for test, parts in found.items()}
    for test in [test for test in verdicts if test.method == CLASS_LEVEL]:
        verdict = verdicts.pop(test)
        concerned = {other for other in verdicts if other.type_name == test.type_name}
        concerned |= set(declared.of(test.type_name))
        for other in concerned or {test}:
            verdicts[other] = merge([verdicts[other], verdict]) if other in verdicts else verdict
    return verdicts


def read_report(content: bytes) -> Iterable[tuple[RunTest, Verdict]]:
    """The test cases of one Surefire report. A case without method name, or named like its class, is of the class. Of
    tests that are no methods, such as fields of ArchUnit, Surefire tells the simple name of the class alone. Left out
    is what follows the names of classes: the numbers of a parameterised class (`[1]`), a `reportNameSuffix` (`(jdk8)`).

    Raises:
        NoReportError: it has no element at all.
    """
    try:
        root = etree.fromstring(content, etree.XMLParser(recover=True, huge_tree=True, resolve_entities=False))
    except etree.XMLSyntaxError as error:
        raise NoReportError(error.msg) from error
    if root is None:
        raise NoReportError("it is not XML")
    reported = _without_suffix(root.get("name") or "")
    for case in root.iter("testcase"):
        type_name = _without_suffix(case.get("classname") or "") or reported
        type_name = reported if reported.endswith(f".{type_name}") else type_name
        name = (case.get("name") or "").removeprefix(f"{type_name}.")  # so are those of plain test classes
        of_class = not name or name in (type_name, type_name.rsplit(".", 1)[-1], "initializationError")
        yield RunTest(type_name, CLASS_LEVEL if of_class else bare_method_name(name)), _case_verdict(case)


def _without_suffix(type_name: str) -> str:
    return _SUFFIX.split(type_name, maxsplit=1)[0]


def _case_verdict(case: "etree._Element") -> Verdict:
    for child in case:
        kind, message = child.get("type"), child.get("message")
        if child.tag == "failure":
            return Verdict(Outcome.ASSERTION_FAILED, kind, message, child.text)
        if child.tag == "error":
            assertion = (kind or "").rsplit(".", 1)[-1] in ("AssertionError", "AssertionFailedError")
            return Verdict(Outcome.ASSERTION_FAILED if assertion else Outcome.EXCEPTION, kind, message, child.text)
        if child.tag == "skipped":
            aborted = _ASSUMPTION.search(f"{kind} {message} {child.text}")
            return Verdict(Outcome.ABORTED if aborted else Outcome.SKIPPED, kind, message)
    return Verdict(Outcome.PASSED)


def _typed(test: RunTest, declared: DeclaredTests) -> RunTest:
    """The test with the parameter types that byte code declares: reports name only invocations."""
    if test.method == CLASS_LEVEL:
        return test
    named = [one for one in declared.of(test.type_name) if (one.type_name, one.method) == (test.type_name, test.method)]
    return named[0] if len(named) == 1 else test

"""Logs are safe for any bytes (TEB-X04, E07)."""

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from testevo.execution.verdicts.junit_xml import Case, report, write_logs
from testevo.records.methods import TestKey
from testevo.records.verdicts import Outcome

TEST = TestKey(module="", path="T.java", type_name="a.T", name="m", parameters=("String",))


def test_a_failing_case_names_its_exception_and_exact_outcome() -> None:
    root = etree.fromstring(
        report(
            "a.T",
            [
                Case(TEST, Outcome.ASSERTION_FAILED, "java.lang.AssertionError", "1 < 2", "trace"),
                Case(TEST, Outcome.SKIPPED),
                Case(TEST, Outcome.CRASHED),
                Case(TEST, Outcome.PASSED),
            ],
        )
    )
    counts = [root.get(name) for name in ("name", "tests", "failures", "errors", "skipped")]
    assert counts == ["a.T", "4", "1", "1", "1"]
    failure = root.find("testcase/failure")
    assert failure is not None
    assert (failure.get("type"), failure.get("message"), failure.text) == ("java.lang.AssertionError", "1 < 2", "trace")
    assert [node.get("value") for node in root.iter("property")] == ["assertion_failed", "skipped", "crashed", "passed"]
    assert root[0].get("name") == "m(String)"


@given(st.binary(max_size=80), st.text(max_size=40))
def test_any_bytes_and_any_message_give_well_formed_xml(output: bytes, message: str) -> None:
    root = etree.fromstring(report("x", [Case(TEST, Outcome.EXCEPTION, "a.X", message)], output, output))
    assert (root.find("system-out") is not None) == bool(output)


def test_the_log_folder_keeps_the_bytes(tmp_path: Path) -> None:
    write_logs(tmp_path / "0", Case(TEST, Outcome.PASSED), b"\xff\x00", b"\r\n")
    assert {file.name: file.read_bytes() for file in (tmp_path / "0").iterdir() if file.name != "result.xml"} == {
        "stdout": b"\xff\x00",
        "stderr": b"\r\n",
    }
    assert b"\\xff\\u0000" in (tmp_path / "0" / "result.xml").read_bytes()

"""What PIT's report says of the lines that mutants may change, and what a run of PIT without one says."""

import pytest

from testevo.execution.jvms.java_programs import ProgramRun
from testevo.grading.pit.pit_report import read_report
from testevo.grading.pit.pit_runs import opinion_of
from testevo.records.evaluation.second_opinions import MethodOpinion, OpinionUndefined, PitStatus
from testevo.records.methods import TestKey
from testevo.runtime.files.jars import checksums_of

PATH = "core/src/main/java/till/Till.java"
LINES = {PATH: frozenset({6, 7, 8})}
TEST = TestKey(module="core", path="core/src/test/java/till/TillTest.java", type_name="till.TillTest", name="sells")


def mutation(status: str, line: int, *, type_name: str = "till.Till", source: str = "Till.java", index: int = 4) -> str:
    return (
        f"<mutation detected='false' status='{status}' numberOfTestsRun='1'><sourceFile>{source}</sourceFile>"
        f"<mutatedClass>{type_name}</mutatedClass><mutatedMethod>&lt;init&gt;</mutatedMethod>"
        f"<methodDescription>(I)V</methodDescription><lineNumber>{line}</lineNumber>"
        "<mutator>org.pitest.mutationtest.engine.gregor.mutators.MathMutator</mutator>"
        f"<indexes><index>{index}</index></indexes><blocks><block>0</block></blocks><killingTest/>"
        "<description>Replaced</description></mutation>"
    )


def report(*mutations: str) -> bytes:
    head = "<?xml version='1.0' encoding='UTF-8'?>\n<mutations partial='true'>"
    return f"{head}{''.join(mutations)}</mutations>".encode()


def run(
    output: bytes | None, *, status: int = 0, timed_out: bool = False, said: bytes = b"Slowest test ("
) -> ProgramRun:
    return ProgramRun(status, timed_out, b"", said, output)


def test_only_mutations_on_the_lines_are_counted() -> None:
    """Four on the lines, one of them of a nested class; three elsewhere: another line, file and package."""
    found = read_report(
        report(
            mutation("SURVIVED", 8),
            mutation("KILLED", 6),
            mutation("NO_COVERAGE", 7, type_name="till.Till$Drawer"),
            mutation("TIMED_OUT", 7),
            mutation("KILLED", 9),
            mutation("KILLED", 6, source="Other.java"),
            mutation("KILLED", 6, type_name="Till"),
        ).replace(b"<mutatedClass>Till</", b"<mutatedClass>bill.Till</"),
        LINES,
    )
    assert [(one.line, one.type_name, one.status.value) for one in found] == [
        (6, "till.Till", "killed"),
        (7, "till.Till", "timed_out"),
        (7, "till.Till$Drawer", "no_coverage"),
        (8, "till.Till", "survived"),
    ]
    assert found[0].path == PATH
    assert (found[0].method, found[0].descriptor, found[0].mutator, found[0].indexes) == (
        "<init>",
        "(I)V",
        "MathMutator",
        (4,),
    )


def test_a_class_without_a_package_is_found_too() -> None:
    found = read_report(report(mutation("KILLED", 1, type_name="Till")), {"Till.java": frozenset({1})})
    assert [one.path for one in found] == ["Till.java"]


def test_each_fate_is_counted_apart_and_errors_count_as_detected() -> None:
    """Five of seven are detected, as PIT counts: all but the survivor and the one that is not covered."""
    statuses = ["KILLED", "TIMED_OUT", "MEMORY_ERROR", "RUN_ERROR", "NON_VIABLE", "SURVIVED", "NO_COVERAGE"]
    opinion = opinion_of(TEST, run(report(*(mutation(one, 6, index=n) for n, one in enumerate(statuses)))), LINES)
    assert opinion.undefined is None
    assert [opinion.count(status) for status in PitStatus] == [1] * 7
    assert (opinion.detected, opinion.score) == (5, 5 / 7)


@pytest.mark.parametrize(
    ("done", "reason"),
    [
        (run(report(mutation("KILLED", 99))), OpinionUndefined.NO_MUTATIONS),
        (run(None, said=b"Skipping coverage and analysis as no mutations found"), OpinionUndefined.NO_MUTATIONS),
        (run(report(mutation("NO_COVERAGE", 6)), said=b"Calculated coverage"), OpinionUndefined.NO_TEST),
        (run(None, status=1, said=b"1 tests did not pass without mutation when"), OpinionUndefined.NOT_GREEN),
        (run(None, timed_out=True), OpinionUndefined.TIMED_OUT),
        (run(report(mutation("KILLED", 6)), status=1), OpinionUndefined.NO_REPORT),
        (run(None), OpinionUndefined.NO_REPORT),
        (run(b"<mutations><mutation"), OpinionUndefined.NO_REPORT),
        (run(b"<coverage/>"), OpinionUndefined.NO_REPORT),
        (run(report(mutation("STARTED", 6))), OpinionUndefined.NO_REPORT),
        (run(report("<mutation status='KILLED'><lineNumber>6</lineNumber></mutation>")), OpinionUndefined.NO_REPORT),
        (run(report(mutation("KILLED", 6)).replace(b">6<", b">six<")), OpinionUndefined.NO_REPORT),
    ],
)
def test_a_run_that_says_nothing_is_undefined_and_not_zero(done: ProgramRun, reason: OpinionUndefined) -> None:
    assert opinion_of(TEST, done, LINES) == MethodOpinion(test=TEST, undefined=reason)
    assert opinion_of(TEST, done, LINES).score is None


def test_entities_of_a_forged_report_are_not_resolved(tmp_path) -> None:
    """A report is written with the power of the test: it must not bring files of this machine into a record."""
    (tmp_path / "secret").write_text("till.Till")
    forged = report(mutation("KILLED", 6)).replace(b"<mutatedClass>till.Till<", b"<mutatedClass>&leak;<")
    entity = f"<!DOCTYPE m [<!ENTITY leak SYSTEM '{tmp_path}/secret'>]>".encode()
    forged = forged.replace(b"<mutations", entity + b"<mutations")
    assert opinion_of(TEST, run(forged), LINES).mutations == ()


def test_every_jar_of_pit_is_pinned_by_its_content() -> None:
    lines = [line.split() for line in checksums_of("pit").read_text(encoding="ascii").splitlines()]
    assert all(len(digest) == 64 and name.endswith(".jar") for digest, name in lines)
    assert {"pitest-1.20.3.jar", "pitest-junit5-plugin-1.2.3.jar"} <= {name for _, name in lines}

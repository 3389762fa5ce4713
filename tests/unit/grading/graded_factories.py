"""Short ways to say how tasks were graded."""

from testevo.records.evaluation.grading import Grade, GradedTask, MethodResult
from testevo.records.evaluation.predictions import Defect, DefectKind
from testevo.records.methods import TestKey
from testevo.records.tasks import Coverage, Track
from testevo.records.verdicts import Outcome
from tests.unit.analysis.grading_factories import RUNS, score


def method(
    grade: Grade, number: int = 0, outcome: Outcome | None = None, covered: int | None = None, killed: int | None = None
) -> MethodResult:
    """`covered` of ten lines, `killed` of four mutants."""
    return MethodResult(
        test=TestKey(module="", path="src/test/java/p/ATest.java", type_name="p.ATest", name=f"m{number}"),
        grade=grade,
        new_run=outcome or RUNS[grade],
        coverage=None if covered is None else Coverage(covered=covered, raw_lines=10, executable_lines=10),
        mutation=None if killed is None else score(killed, 4),
    )


def graded(
    task_id: str,
    *methods: MethodResult,
    track: Track = Track.UPDATE,
    defect: DefectKind | None = None,
    infrastructure: str | None = None,
    quarantined: str | None = None,
    day: int = 0,
) -> GradedTask:
    """A task of the system `s`; `day` counts from 2020-01-01."""
    return GradedTask(
        system="s",
        task_id=task_id,
        track=track,
        repository="o/r",
        old_revision="a" * 40,
        new_revision="b" * 40,
        new_time=1_577_836_800 + 86_400 * day,
        key="k",
        edit=None if defect or infrastructure else "e" * 64,
        defects=(Defect(kind=defect, message="."),) if defect else (),
        infrastructure=infrastructure,
        quarantined=quarantined,
        methods=methods,
    )

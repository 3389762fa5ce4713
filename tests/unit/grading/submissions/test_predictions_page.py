"""docs/predictions.md names every defect with its weight, as the code has it."""

from testevo.grading.submissions.defects import ALWAYS_REPAIRED, REPAIRABLE, WARNINGS
from testevo.records.evaluation.predictions import DefectKind
from testevo.runtime.files.project import PROJECT

PAGE = PROJECT / "docs" / "predictions.md"


def weight(kind: DefectKind) -> str:
    if kind is DefectKind.NOT_JAVA:
        return "warning; fatal when nothing that can be read is left"
    if kind in ALWAYS_REPAIRED:
        return "repaired"
    return "warning" if kind in WARNINGS else "repairable" if kind in REPAIRABLE else "fatal"


def test_the_table_of_defects_is_that_of_the_code() -> None:
    rows = [f"| `{kind.value}` | {kind.cited_doc} | {weight(kind)} |" for kind in DefectKind]
    page = PAGE.read_text(encoding="utf-8").splitlines()
    start = page.index("| defect | meaning | weight |")
    written = page[start + 2 : page.index("", start)]
    assert written == rows, "\n".join(["The table should be:", *rows])

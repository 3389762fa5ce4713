"""Tasks and what was proven of their tests, of which a test names only the fields that it is about."""

from typing import Any

from testevo.records.labels import LabelKind
from testevo.records.methods import ChangeKind, Span, TestKey, TestKind
from testevo.records.tasks import Task, TestEvidence, Track

OLD, NEW = "a" * 40, "b" * 40


def made_evidence(test: TestKey, **named: Any) -> TestEvidence:
    """A modified test of an update, unless other fields are named."""
    fields: dict[str, Any] = {
        "test_kind": TestKind.JUNIT4,
        "change": ChangeKind.MODIFIED,
        "label": LabelKind.UPDATE,
        "old_source": None,
        "new_source": "",
        "old_span": None,
        "new_span": Span(first_line=1, last_line=2),
        "outcomes": {},
        "dependencies": (),
    }
    return TestEvidence(test=test, **(fields | named))


def made_task(tests: tuple[TestEvidence, ...], **named: Any) -> Task:
    """An update of a project of one module, unless other fields are named."""
    fields: dict[str, Any] = {
        "task_id": "t",
        "track": Track.UPDATE,
        "repository": "o/r",
        "project_name": "o_r-v1",
        "version": "v1",
        "web_url": None,
        "clone_url": "o/r",
        "old_revision": OLD,
        "new_revision": NEW,
        "old_time": 0,
        "new_time": 1,
        "java_level": "8",
        "jdk": 17,
        "fingerprint": "f",
        "module": "",
        "test_file": "src/test/java/p/ATest.java",
        "old_test_file": None,
        "dependencies": (),
    }
    return Task(tests=tests, **(fields | named))

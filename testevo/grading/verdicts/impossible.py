"""An outcome that cannot be, as a record of its own; apart from what finds it, which needs built trees."""

from dataclasses import dataclass

from testevo.records.tasks import Track

IMPOSSIBLE = "impossible outcome: "
"""Begins the reason of such a failure of the harness; `testevo.grading.verdicts.invariants` reports it."""


@dataclass(frozen=True)
class Impossible:
    """An outcome that contradicts itself, its runs or the dataset."""

    system: str | None
    """Whose result it is; None: the task itself is wrong, whoever is graded on it."""
    task_id: str
    track: Track
    text: str
    """Why it cannot be."""

    def __str__(self) -> str:
        return f"{self.task_id}: {self.text}" if self.system is None else f"{self.system}, {self.task_id}: {self.text}"

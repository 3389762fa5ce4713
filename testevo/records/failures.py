"""`StageFailure`: what every stage of one repository writes when it fails; an empty file when it does not."""

from typing import Any

from testevo.records.base import Record


class StageFailure(Record):
    """Why a repository left the snapshot: the stage that failed, and with what. Later stages pass the record on."""

    repository: str
    stage: str
    """The rule that failed, such as `build_check` or `measure_gold`."""
    error: str
    """The type of the error, such as `ValueError`."""
    reason: str
    """The message of the error, in one line."""
    shard: str = ""
    """The part of the work that failed, such as `3of10`; '' when the job of the whole repository did."""
    log: tuple[str, ...] = ()
    """The last lines of the log, without places of the machine."""

    def sort_key(self) -> tuple[Any, ...]:
        return (self.repository, self.stage, self.shard)

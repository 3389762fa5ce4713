"""Why a candidate yields no history: an expected end of the stage `clone`, turned into a record, never a crash."""

from testevo.records.repository import RepositoryRejection


class NoHistoryError(Exception):
    """A repository cannot be mined. `rejection` and the sentence `detail` go into its `Repository` record (TEB-M06)."""

    def __init__(self, rejection: RepositoryRejection, detail: str) -> None:
        super().__init__(f"{rejection.value}: {detail}")
        self.rejection = rejection
        self.detail = detail

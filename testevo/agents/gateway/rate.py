"""A rate of calls that all runs on a machine or a shared file system keep together."""

import json
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from testevo.runtime.files.files import write_atomically
from testevo.runtime.files.json_and_yaml import parsed_json
from testevo.runtime.files.whole_files import locked

_MINUTE = 60.0


@dataclass(frozen=True)
class RateLimit:
    """At most `calls_per_minute` calls start within any minute, counted over all processes that name the same file."""

    file: Path
    """Holds the times of the last calls; a file of the same name with `.lock` at its end is made beside it."""
    calls_per_minute: int
    clock: Callable[[], float] = time.time
    """Seconds, by a clock that the processes share."""

    def wait(self, sleep: Callable[[float], bool]) -> bool:
        """Return when a call may start; False where `sleep` has said that it waits no longer.

        Raises:
            MachineError: the file cannot be written.
        """
        while (seconds := self._claimed()) > 0:
            if not sleep(seconds):
                return False
        return True

    def _claimed(self) -> float:
        """Claim a call now, or the seconds until one will be free."""
        with locked(self.file.with_name(f"{self.file.name}.lock")):
            now = self.clock()
            recent = [start for start in self._starts() if now - _MINUTE < start <= now]
            if len(recent) >= self.calls_per_minute:
                return recent[-self.calls_per_minute] + _MINUTE - now
            write_atomically(self.file, json.dumps([*recent, now]).encode())
            return 0.0

    def _starts(self) -> list[float]:
        return [float(start) for start in parsed_json(self.file.read_bytes())] if self.file.is_file() else []

"""Jumps of the clock are named."""

import os
import time
from pathlib import Path

import pytest

from testevo.runtime.clock import Moment, files_of_the_future, jump_since


@pytest.mark.parametrize(("by", "said"), [(7200, "forward by 2:00:00"), (-7200, "back by 2:00:00"), (30, None)])
def test_a_jump_while_something_runs_is_named(by: float, said: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    """The other clock cannot be set, so the difference is the jump."""
    before, real = Moment(), time.time
    monkeypatch.setattr(time, "time", lambda: real() + by)
    message = jump_since(before)
    assert message is None if said is None else said in str(message)


def test_files_that_are_younger_than_now_are_named(tmp_path: Path) -> None:
    """The youngest of them, and how far ahead it is; files of the past are as they should be."""
    old, ahead, further = (tmp_path / name for name in ("old", "ahead", "further"))
    now = time.time()
    for file, moment in ((old, now - 5), (ahead, now + 3600), (further, now + 7205)):
        file.touch()
        os.utime(file, (moment, moment))
    message = files_of_the_future([old, ahead, further])
    assert message is not None and str(further) in message and "2:00:0" in message
    assert files_of_the_future([old]) is None
    assert files_of_the_future([]) is None

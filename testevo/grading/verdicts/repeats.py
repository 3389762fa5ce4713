"""The one rule for what needs confirmation while an edit is graded: it is done once more, and that counts."""

from collections.abc import Callable
from typing import TypeVar

Result = TypeVar("Result")


def repeated(do: Callable[[], Result], has_verdict: Callable[[Result], bool]) -> Result:
    """A run or a build; when it needs confirmation, as without a verdict on a busy machine, the second one."""
    first = do()
    return first if has_verdict(first) else do()

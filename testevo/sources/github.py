"""The place of the source `github`: live repository search (TEB-M01 to M05). It is not available yet.

It will search with bisection under the result limit, keep raw pages, and write a lock file that makes a second run
identical and offline. Until then candidates are listed in the configuration.
"""

from typing import NoReturn

from testevo.records.repository import Repository
from testevo.runtime.errors import UsageError


def fetch(repository: Repository) -> NoReturn:
    """Refuse.

    Raises:
        UsageError: always; the message names the next step.
    """
    raise UsageError(
        f"{repository.name} comes from the GitHub search, which is not available yet. "
        f"List it under `sources.repositories` with its clone address, then run the stage `search` again."
    )

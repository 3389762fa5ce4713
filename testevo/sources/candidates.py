"""All candidates of a configuration, from every source it names."""

from collections import Counter

from testevo.config.model import Config
from testevo.records.repository import Repository
from testevo.runtime.errors import UsageError
from testevo.sources import listed, releases
from testevo.sources.embedded import worlds
from testevo.sources.github.candidates import candidates as searched
from testevo.sources.pins import pinned

NAMED_BY = (worlds.candidates, listed.candidates, releases.candidates, searched)


def candidates(config: Config) -> list[Repository]:
    """The repositories of all configured sources, sorted by name.

    Raises:
        UsageError: no source is configured, a name is used twice, or an entry cannot be used.
        UserError: a world is badly described.
    """
    named = sorted((r for name in NAMED_BY for r in name(config)), key=Repository.sort_key)
    if not named:
        raise UsageError(
            "The configuration names no history. Set `sources.worlds`, `sources.repositories`, `sources.releases` or "
            "`sources.github`; a search whose repositories are all rejected yields none either."
        )
    twice = [name for name, count in Counter(r.slug for r in named).items() if count > 1]
    if twice:
        raise UsageError(f"The configuration names {', '.join(twice)} more than once. Remove one or rename it.")
    return pinned(config, named)

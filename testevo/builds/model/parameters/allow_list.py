"""Allow-lists of a plugin's parameters: with what a build may set, the direct engine still does as the plugin."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

Harmless = Callable[[str], bool]
"""Whether a value leaves everything as it is."""


def anything(value: str) -> bool:
    """Every value."""
    return True


def one_of(*values: str) -> Harmless:
    """Only these values, which are those of a build that does not set the parameter, or mean the same."""
    return lambda value: value.lower() in values


def at_least(seconds: int) -> Harmless:
    """No limit (0), or one that is not shorter than ours."""
    return lambda value: value == "0" or (value.isdigit() and int(value) >= seconds)


@dataclass(frozen=True)
class AllowList:
    """The parameters of a plugin's goals that are implemented, and those that are harmless. No other is allowed."""

    implemented: frozenset[str]
    harmless: Mapping[str, Harmless]

    @classmethod
    def of(cls, implemented: str, *groups: tuple[Harmless, str, str]) -> "AllowList":
        """From names with spaces between: those implemented, and groups of test, reason and names."""
        harmless = {name: is_harmless for is_harmless, _, names in groups for name in names.split()}
        return cls(frozenset(implemented.split()), harmless)

    def covers(self, name: str, value: str) -> bool:
        """Whether the direct engine does as the plugin although a parameter has this value."""
        return name in self.implemented or (name in self.harmless and self.harmless[name](value.strip()))

"""Rules for Maven plugins during a build: data from `config/plugin-skips.yaml` (TEB-E04)."""

from collections.abc import Collection
from functools import cache
from pathlib import Path

from testevo.config.base import Section
from testevo.runtime.errors import UsageError
from testevo.runtime.files.files import canonical_json, content_key
from testevo.runtime.files.json_and_yaml import parsed_yaml
from testevo.runtime.files.project import PROJECT
from testevo.runtime.refused_input import reason


class PluginSkip(Section):
    """Properties that switch one plugin off."""

    plugin: str
    set: dict[str, str]
    why: str


class PluginSkips(Section):
    """The whole list."""

    version: int
    properties: tuple[PluginSkip, ...]
    harmless: frozenset[str]

    @property
    def arguments(self) -> list[str]:
        """`-Dname=value` options for Maven, sorted."""
        return sorted(f"-D{name}={value}" for skip in self.properties for name, value in skip.set.items())

    def without(self, plugins: Collection[str]) -> "PluginSkips":
        """The list without these plugins, which are switched on then."""
        return self.model_copy(
            update={"properties": tuple(one for one in self.properties if one.plugin not in plugins)}
        )

    @property
    def key(self) -> str:
        """Changes whenever the list changes; a part of every build fingerprint."""
        return content_key(canonical_json([self.version, self.arguments, sorted(self.harmless)]))

    def ignores(self, plugin: str, goal: str) -> bool:
        """Whether `goal` of the plugin with this artifact id can be left out by the direct engine."""
        return plugin in self.harmless or f"{plugin}:{goal}" in self.harmless


@cache
def plugin_skips(path: Path = PROJECT / "config" / "plugin-skips.yaml") -> PluginSkips:
    """Read the list.

    Raises:
        UsageError: the file is missing or not of that form.
    """
    try:
        return PluginSkips.model_validate(parsed_yaml(path.read_text("utf-8")))
    except (OSError, ValueError) as error:
        raise UsageError(
            f"{path} is not a list of plugin skips ({reason(error)}). Restore it from the repository."
        ) from error

"""Reuse a cached Maven model when POMs differ only in fields that cannot affect compilation or tests.

A model is passed on only when it shows no trace of the project's version, nor of the tag and the moment that a release
sets: no class path, option, system property or working folder contains it, no resource was filtered, no plugin wrote a
file, and none made properties of it. Then the version went into nothing that compiling or testing reads, and Maven
would say the same again.
"""

import re
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from testevo.builds.model.model import BuildModel, read_model
from testevo.runtime.files.files import canonical_json
from testevo.runtime.files.json_and_yaml import parsed_json
from testevo.runtime.files.whole_files import write_if_changed

DERIVING_PLUGINS = (
    "build-helper-maven-plugin",
    "buildnumber-maven-plugin",
    "maven-bundle-plugin:cleanVersions",
    "maven-profile-plugin",
    "properties-maven-plugin",
    "versions-maven-plugin",
)
"""Plugins, or goals, that set properties which may follow from the version of the project: its first number, or what a
file says that is named by it. Those that are not harmless (`config/plugin-skips.yaml`), such as scripts, need Maven
anyway."""
KNOWN_NOT_TO_DERIVE = tuple(
    f"build-helper-maven-plugin:{goal}"
    for goal in ("add-source", "add-test-source", "add-resource", "add-test-resource", "attach-artifact")
)


@dataclass(frozen=True)
class EquivalentModels:
    """Models kept in `<cache>/models`, found by what of their POMs matters (`Preparation.normalised`)."""

    models: Path

    def folder(self, normalised: str) -> Path:
        """Where the models of these POMs are noted."""
        return self.models / "equivalent" / normalised

    def find(self, normalised: str, local: str) -> BuildModel | None:
        """A model of equivalent POMs, made with the local repository `local`.

        Its fingerprint is that of the POMs it was read from.
        """
        note = self._note(normalised, local)
        if not note.is_file():
            return None
        fingerprint: str = parsed_json(note.read_bytes())["fingerprint"]
        return read_model(self.models / fingerprint / f"{local}.json")

    def keep(self, normalised: str, local: str, model: BuildModel, traces: Collection[str]) -> None:
        """Let others find a model that Maven has just proven by compiling, when it may be passed on.

        Args:
            traces: the versions of the project's own modules, and what else releases change; none where these are not
                known.
        """
        if not shows(model, traces):
            note = {"fingerprint": model.fingerprint}
            write_if_changed(self._note(normalised, local), canonical_json(note).encode())

    def _note(self, normalised: str, local: str) -> Path:
        return self.folder(normalised) / f"{local}.json"


def derives_properties(plugin: str, goal: str) -> bool:
    """Whether a goal may make properties of the version, so that the version is in what nobody can see it in."""
    named = (plugin, f"{plugin}:{goal}")
    return any(name in DERIVING_PLUGINS for name in named) and named[1] not in KNOWN_NOT_TO_DERIVE


def shows(model: BuildModel, traces: Collection[str]) -> bool:
    """Whether anything in a model may come from the version of the project, or what else releases change."""
    sides = [side for module in model.modules for side in (module.production, module.test)]
    if (
        model.needs_maven
        or model.derives_properties
        or not traces
        or any(side.filtered or side.extra for side in sides)
    ):
        return True
    seen = model.model_copy(update={"fingerprint": ""}).model_dump_json()
    return any(_mentions(seen, trace) for trace in traces)


def _mentions(text: str, trace: str) -> bool:
    """Whether a trace stands in a text, not inside a longer number: 1.1 is not in `apiguardian-1.1.2.jar`."""
    before = r"(?<!\d)(?<!\d\.)" if trace[0].isdigit() else ""
    after = r"(?!\.?\d)" if trace[-1].isdigit() else ""
    return re.search(before + re.escape(trace) + after, text) is not None

"""The earlier snapshot whose finished work a snapshot takes over, where the same tools did it.

Work is found by its content: revisions, settings, inputs. The tools are not part of those keys, since within a snapshot
they rarely change; so each run notes them beside the journals, and work of other tools is not taken over.
"""

from collections.abc import Mapping

from testevo.config.model import Config
from testevo.config.snapshot.layout import Layout
from testevo.runtime.files.files import canonical_json, write_atomically
from testevo.runtime.files.json_and_yaml import parsed_json

_DIGESTS = ("code", "files")
"""Of our own code, which says no version."""


def note_tools(layout: Layout, tools: Mapping[str, object]) -> None:
    """Note the tools of a run that is about to begin, after those of earlier runs of the snapshot.

    Raises:
        MachineError: the file cannot be written.
    """
    line = canonical_json(dict(tools))
    noted = noted_tools(layout)
    if line not in noted:
        write_atomically(layout.tools, "".join(f"{one}\n" for one in [*noted, line]).encode())


def replaced_tools(layout: Layout, tools: Mapping[str, object]) -> list[str]:
    """The programs of earlier runs of a snapshot that are others now: `maven 3.8.7 (now 3.9.11)`."""
    runs = tools_of_runs(layout)
    names = [name for name, version in tools.items() if isinstance(version, str) and name not in _DIGESTS]
    return [
        f"{name} {version} (now {tools[name]})"
        for name in sorted(names)
        for version in sorted({str(run[name]) for run in runs if run.get(name) not in (None, tools[name])})
    ]


def tools_of_runs(layout: Layout) -> list[dict[str, object]]:
    """The sets of tools that worked on a snapshot, in the order in which they came."""
    return [parsed_json(line.encode()) for line in noted_tools(layout)]


def noted_tools(layout: Layout) -> list[str]:
    """The tools that worked on a snapshot, a line of JSON for each set of them."""
    return layout.tools.read_text("utf-8").splitlines() if layout.tools.is_file() else []


def predecessor_of(config: Config) -> Layout | None:
    """The snapshot whose work is taken over; None without one, and where other tools worked on either of both."""
    if config.predecessor is None:
        return None
    own = Layout.of(config)
    earlier = Layout(own.root.parent / config.predecessor)
    tools = noted_tools(own)
    return earlier if len(tools) == 1 and noted_tools(earlier) == tools else None

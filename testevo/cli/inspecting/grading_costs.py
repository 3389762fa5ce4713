"""`testevo status --costs`: what grading each system took: wall and processor time, and the energy of that."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from testevo.analysis.reporting.run_folder import recorded_systems
from testevo.cli.inspecting.profile import times
from testevo.cli.output import columns, show
from testevo.config.snapshot.layout import Layout
from testevo.runtime.errors import NotFoundError
from testevo.runtime.files.files import url_safe_name
from testevo.runtime.stopwatch import Profile, read_profile

SECONDS_OF_AN_HOUR = 3600


@dataclass(frozen=True)
class GradingCost:
    """What the jobs of one system took, interrupted ones included."""

    system: str
    tasks: int
    methods: int
    wall_seconds: float
    """Summed over jobs; jobs that ran at the same time both count."""
    processor_seconds: float
    test_jvms: int
    watt_hours: float | None
    """Processor time at the watts of a core that the user gave; None without them."""


def grading_costs(layout: Layout, watts: float | None = None) -> list[GradingCost]:
    """The costs of each graded system, by name.

    A result that an earlier system or run left in the cache of results costs nothing again.

    Args:
        layout: of a grading run, or of a snapshot whose control submissions are graded.
        watts: what one busy core draws.

    Raises:
        NotFoundError: nothing was graded there.
    """
    graded = recorded_systems(layout)
    if not graded:
        raise NotFoundError(f"{layout.root} holds no grades. Give the --output of `testevo evaluate`.")
    found = []
    for system in sorted({one.system for one in graded}):
        own = [one for one in graded if one.system == system]
        profiles = profiles_of(layout.root / "profile" / "evaluate", system)
        processor = sum(one.processor for one in profiles)
        found.append(
            GradingCost(
                system=system,
                tasks=len(own),
                methods=sum(len(one.methods) for one in own),
                wall_seconds=round(sum(one.wall for one in profiles), 3),
                processor_seconds=round(processor, 3),
                test_jvms=sum(times(one, "test JVMs") for one in profiles),
                watt_hours=None if watts is None else round(processor * watts / SECONDS_OF_AN_HOUR, 4),
            )
        )
    return found


def profiles_of(folder: Path, system: str) -> list[Profile]:
    """The profiles of a system's jobs, one for each repository."""
    ending = f"@{url_safe_name(system)}"
    files = sorted(file for file in folder.glob("*.jsonl") if f"@{file.stem.partition('@')[2]}" == ending)
    return [found for file in files if (found := read_profile(file)) is not None]


def show_costs(layout: Layout, watts: float | None, *, as_json: bool) -> None:
    """Print one row for each system, and their sum."""
    found = grading_costs(layout, watts)
    if as_json:
        print(json.dumps([asdict(one) for one in found], indent=1))
        return
    headings = ("system", "tasks", "methods", "wall s", "processor s", "processor s/task", "test JVMs")
    energy = () if watts is None else ("Wh",)
    rows = [row_of(one.system, [one]) for one in found]
    if len(found) > 1:
        rows.append(row_of("all", found))
    show(columns((*headings, *energy), rows, right=range(1, len(headings) + len(energy))))


def row_of(name: str, costs: Sequence[GradingCost]) -> list[str]:
    tasks, processor = sum(one.tasks for one in costs), sum(one.processor_seconds for one in costs)
    energy = [one.watt_hours for one in costs if one.watt_hours is not None]
    return [
        name,
        str(tasks),
        str(sum(one.methods for one in costs)),
        f"{sum(one.wall_seconds for one in costs):.1f}",
        f"{processor:.1f}",
        f"{processor / tasks:.2f}",
        str(sum(one.test_jvms for one in costs)),
        *([f"{sum(energy):.2f}"] if energy else []),
    ]

"""Named subsets of the published tasks, each fixed by the digest of its ids."""

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import date

from testevo.records.snapshots.publication import Subset
from testevo.records.tasks import Task, Track
from testevo.runtime.clock import utc_date

LITE = "lite"
LITE_TASKS = 3
"""Tasks of one repository and track in the subset `lite`."""


def subsets(tasks: Sequence[Task], after: Iterable[date] = ()) -> list[Subset]:
    """Subsets by track, `lite`, and one for each date: tasks whose new revision is of that day or later.

    Quarantined tasks are in none of them.
    """
    counted = [task for task in tasks if task.quarantined is None]
    found = [
        _subset(track.value, f"All tasks of the track {track.value}.", [t for t in counted if t.track == track])
        for track in Track
    ]
    found.append(_subset(LITE, _LITE_RULE, _lite(counted)))
    for day in sorted(set(after)):
        younger = [task for task in counted if utc_date(task.new_time) >= day]
        found.append(_subset(f"after-{day}", f"New revision committed on {day} (UTC) or later.", younger))
    return found


_LITE_RULE = (
    f"Of each repository and track the {LITE_TASKS} tasks whose id has the smallest SHA-256: a small set in which no "
    f"repository weighs more than another, and which stays when tasks of other repositories come."
)


def _lite(tasks: Iterable[Task]) -> list[Task]:
    groups: dict[tuple[str, Track], list[Task]] = defaultdict(list)
    for task in tasks:
        groups[task.repository, task.track].append(task)
    return [task for group in groups.values() for task in sorted(group, key=_drawn)[:LITE_TASKS]]


def _drawn(task: Task) -> str:
    return hashlib.sha256(task.task_id.encode()).hexdigest()


def _subset(name: str, rule: str, tasks: Iterable[Task]) -> Subset:
    ids = tuple(sorted(f"{task.track.value}/{task.task_id}" for task in tasks))
    lines = "".join(f"{one}\n" for one in ids)
    return Subset(name=name, rule=rule, tasks=ids, sha256=hashlib.sha256(lines.encode()).hexdigest())

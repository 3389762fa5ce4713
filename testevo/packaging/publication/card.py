"""The dataset card: the page that dataset hubs show, whose head tells their loaders which files are which table."""

import yaml

from testevo.packaging.publication.rows import ANSWERS, DEPENDENCIES, REPOSITORIES, TASKS
from testevo.records.tasks import Track

_BODY = """
# {name}

Tasks of test evolution in Java/Maven projects, proven by execution: *update* tasks (adapt tests that a code change
broke) and *generation* tasks (write tests that tell the new code from the old).

| table | one row each | |
|---|---|---|
| `tasks` | task | what a system may see |
| `dependencies` | changed production method below its tests | what a system may see |
| `answers` | developers' test method | sources, four outcomes, coverage, mutants; no system may see it |
| `repositories` | repository with tasks | licence and address, for attribution |

Each is there as JSON lines and as Parquet; the first three in two parts, `update` and `generation`.
`answers/by_task` shows each answer as a page. `subsets/*.json` name selections of tasks with the digest of their ids.

```python
from datasets import load_dataset

tasks = load_dataset("<this folder>", "tasks", split="update")
```

Sources of tests in `answers` keep the licence of their repository.

"""


def dataset_card(name: str, licence: str | None, datasheet: str) -> str:
    """The card as Markdown with its YAML head.

    Args:
        licence: of the collection; None where none was configured.
        datasheet: of the dataset, which becomes the second part of the page.
    """
    head = {
        "pretty_name": name,
        "license": (licence or "other").lower().replace(" ", "-"),
        "language": ["code"],
        "tags": ["java", "unit-tests", "software-engineering", "croissant"],
        "configs": [*(_by_track(table) for table in (TASKS, DEPENDENCIES, ANSWERS)), _whole(REPOSITORIES)],
    }
    return f"---\n{yaml.safe_dump(head, sort_keys=False)}---\n{_BODY.format(name=name)}{datasheet}"


def _by_track(table: str) -> dict[str, object]:
    files = [{"split": track.value, "path": f"{table}/{track.value}.parquet"} for track in Track]
    return {"config_name": table, "data_files": files}


def _whole(table: str) -> dict[str, object]:
    return {"config_name": table, "data_files": [{"split": table, "path": f"{table}.parquet"}]}

"""A site with all that it was made of, and the folder of a grading run."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from testevo.config.load import load_config
from testevo.config.resolved import write_resolved
from testevo.records.base import read_records, write_records
from testevo.records.evaluation.grading import GradedTask
from testevo.runtime.files.files import url_safe_name
from testevo.site.content import SiteContent, read_content


@dataclass(frozen=True)
class Built:
    """A site and what it was made from."""

    site: Path
    dataset: Path
    graded: Path
    released: Path
    earlier: Path

    def content(self) -> SiteContent:
        graded = read_records(self.graded, GradedTask)
        return read_content(self.dataset, graded, released=self.released, before=self.earlier)


def write_run(folder: Path, dataset: Path, graded: Sequence[GradedTask]) -> Path:
    """The folder of a grading run of a dataset; every system but `gold` is a submitted one."""
    systems = sorted({one.system for one in graded})
    config = load_config(
        {
            "snapshot": folder.name,
            "results": str(folder.parent),
            "sources": {"worlds": ["greetings"]},
            "evaluation": {
                "dataset": str(dataset),
                "controls": ["gold"],
                "predictions": {name: "predictions.jsonl" for name in systems if name != "gold"},
            },
        }
    )
    write_resolved(config, folder / "config.json")
    for system in systems:
        own = [one for one in graded if one.system == system]
        write_records(folder / "evaluate" / url_safe_name(system) / "all.jsonl", own)
    return folder

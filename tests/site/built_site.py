"""A site with all that it was made of."""

from dataclasses import dataclass
from pathlib import Path

from testevo.records.base import read_records
from testevo.records.evaluation.grading import GradedTask
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

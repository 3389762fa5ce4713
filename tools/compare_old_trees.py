"""compare_old_trees: how much of Redundant % the tree that stands for the old code makes.

Takes two results folders that differ in `rules.swap.old_tree` alone: two minings (labels of inserted tests are
compared), or two gradings of the same predictions (grades are compared). Prints a Markdown table.
"""

import argparse
from pathlib import Path

from testevo.analysis.output.tables import to_markdown
from testevo.analysis.reporting.redundancy import RedundancyStudy, compare_grades, compare_labels, study_table
from testevo.analysis.reporting.run_folder import recorded_systems
from testevo.config.resolved import read_resolved
from testevo.config.snapshot.layout import Layout
from testevo.records.base import read_records
from testevo.records.labels import Label
from testevo.runtime.errors import UsageError, UserError
from testevo.runtime.processes.handler import run_main


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("clean", type=Path, help="results folder with `old_tree: clean`")
    parser.add_argument("keep_added", type=Path, help="results folder with `old_tree: keep_added`")
    options = parser.parse_args()
    for name in ("clean", "keep_added"):
        folder = getattr(options, name)
        found = read_resolved(folder / "config.json").rules.swap.old_tree
        if found != name:
            raise UsageError(f"{folder} was made with `old_tree: {found}`, not {name}. Give the folders in that order.")
    print(to_markdown(study_table(compared(Layout(options.clean), Layout(options.keep_added)))), end="")


def compared(clean: Layout, kept: Layout) -> RedundancyStudy:
    """By grades where both folders have some, else by labels."""
    graded = [recorded_systems(layout) for layout in (clean, kept)]
    if all(graded):
        return compare_grades(*graded)
    labels = [mined_labels(layout) for layout in (clean, kept)]
    if not all(labels):
        raise UserError(f"{clean.root} or {kept.root} holds neither labels nor grades. Mine or evaluate first.")
    return compare_labels(*labels)


def mined_labels(layout: Layout) -> list[Label]:
    files = sorted(layout.root.glob("package/*/labels.jsonl"))
    return [label for file in files for label in read_records(file, Label)]


if __name__ == "__main__":
    run_main(main)

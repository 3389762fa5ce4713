"""validation: what the control submissions say of a snapshot.

Reads the `GradedTask` records of all controls; writes a table of tasks, a table of sabotage kinds, both as a page, and
`verdict.json`.
"""

import json
from pathlib import Path

from testevo.analysis.output.tables import to_csv, to_markdown
from testevo.analysis.reporting.html_text import Section, data_table, document, text
from testevo.analysis.reporting.run_folder import graded_tasks
from testevo.analysis.reporting.validation import Validation, validated
from testevo.config.model import Config
from testevo.config.resolved import read_resolved
from testevo.config.snapshot.layout import Layout
from testevo.config.systems import systems_of
from testevo.grading.dataset.voided_results import void_impossible
from testevo.grading.submissions.selection import selected
from testevo.packaging.dataset.dataset_folder import open_dataset
from testevo.runtime.files.files import write_atomically
from testevo.runtime.processes.handler import run_main
from testevo.runtime.processes.job import snapshot_parser


def main() -> None:
    parser = snapshot_parser(__doc__)
    parser.add_argument("--dataset", type=Path, required=True, help="checksums of the dataset, which lie in its folder")
    parser.add_argument("--verdict", type=Path, required=True, help="is written beside page and tables")
    options = parser.parse_args()
    write(validation_of(read_resolved(options.config), options.dataset.parent), options.verdict.parent)


def validation_of(config: Config, dataset: Path) -> Validation:
    controls = [name for name, file in systems_of(config.evaluation).items() if file is None]
    opened = open_dataset(dataset)
    tasks = selected(opened.tasks, config.evaluation)
    results = void_impossible(opened, graded_tasks(Layout.of(config), controls), tasks)
    return validated(results.graded, tasks, controls, results.impossible)


def write(validation: Validation, folder: Path) -> None:
    for table in (validation.tasks, validation.sabotage):
        write_atomically(folder / f"{table.name}.csv", to_csv(table).encode())
        write_atomically(folder / f"{table.name}.md", to_markdown(table).encode())
    write_atomically(folder / "controls.html", controls_page(validation))
    verdict = {"publishable": validation.publishable, "complaints": [str(one) for one in validation.complaints]}
    write_atomically(folder / "verdict.json", (json.dumps(verdict, indent=1, sort_keys=True) + "\n").encode())


def controls_page(validation: Validation) -> bytes:
    """Verdict and tables for people."""
    says = "The controls have their expected grades." if validation.publishable else "Not publishable:"
    complaints = "".join(f"<li>{text(one)}</li>" for one in validation.complaints)
    introduction = f"<p>{says}</p>" + (f"<ul>{complaints}</ul>" if complaints else "")
    tables = (validation.tasks, validation.sabotage)
    return document(
        "Control submissions", introduction, [Section(one.name, one.title, data_table(one)) for one in tables]
    )


if __name__ == "__main__":
    run_main(main)

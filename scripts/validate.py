"""validate: judge a snapshot by its control submissions.

Reads the `GradedTask` records of all controls; writes a table of tasks, a table of sabotage kinds, both as a page, and
`verdict.json`.
With `--judge` it reads the verdict and refuses a snapshot that may not be published, with the tasks that say so.
"""

import argparse
import json
from pathlib import Path

from testevo.analysis.reporting.html_text import Section, data_table, document, text
from testevo.analysis.reporting.run_folder import graded_tasks
from testevo.analysis.reporting.validation import Validation, validated
from testevo.analysis.statistics.tables import to_csv, to_markdown
from testevo.config.layout import Layout
from testevo.config.model import Config
from testevo.config.resolved import read_resolved
from testevo.config.systems import systems_of
from testevo.grading.submissions.selection import selected
from testevo.packaging.dataset.dataset_folder import open_dataset
from testevo.runtime.errors import ExitStatus, UserError
from testevo.runtime.files.files import write_atomically
from testevo.runtime.processes.handler import run_main

SHOWN_COMPLAINTS = 20


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--config", type=Path, required=True)
    parser.add_argument("--judge", action="store_true", help="fail when the verdict is no")
    options = parser.parse_args()
    config = read_resolved(options.config)
    layout = Layout.of(config)
    if options.judge:
        require_publishable(json.loads((layout.validation / "verdict.json").read_bytes())["complaints"])
    else:
        write(validation_of(config, layout), layout.validation)


def validation_of(config: Config, layout: Layout) -> Validation:
    controls = [name for name, file in systems_of(config.evaluation).items() if file is None]
    folder = Path(config.evaluation.dataset) if config.evaluation.dataset else layout.dataset
    tasks = selected(open_dataset(folder).tasks, config.evaluation)
    return validated(graded_tasks(layout, controls), tasks, controls)


def write(validation: Validation, folder: Path) -> None:
    for table in (validation.tasks, validation.sabotage):
        write_atomically(folder / f"{table.name}.csv", to_csv(table).encode())
        write_atomically(folder / f"{table.name}.md", to_markdown(table).encode())
    write_atomically(folder / "controls.html", controls_page(validation))
    verdict = {"publishable": validation.publishable, "complaints": [str(one) for one in validation.complaints]}
    write_atomically(folder / "verdict.json", (json.dumps(verdict, indent=1, sort_keys=True) + "\n").encode())


def controls_page(validation: Validation) -> bytes:
    """Verdict and tables for people."""
    says = "The controls reached what they must." if validation.publishable else "The controls speak against it:"
    complaints = "".join(f"<li>{text(one)}</li>" for one in validation.complaints)
    introduction = f"<p>{says}</p>" + (f"<ul>{complaints}</ul>" if complaints else "")
    tables = (validation.tasks, validation.sabotage)
    return document(
        "Control submissions", introduction, [Section(one.name, one.title, data_table(one)) for one in tables]
    )


def require_publishable(complaints: list[str]) -> None:
    """Refuse a snapshot that the controls speak against.

    Raises:
        UserError: they do; the message names tasks and controls.
    """
    if not complaints:
        return
    shown = "\n".join(f"  {one}" for one in complaints[:SHOWN_COMPLAINTS])
    more = f"\n  and {len(complaints) - SHOWN_COMPLAINTS} more" if len(complaints) > SHOWN_COMPLAINTS else ""
    error = UserError(
        f"The snapshot may not be published; its control submissions say:\n{shown}{more}\n"
        "See docs/controls.md for what each of them means, and the table `validate/tasks.md` for all tasks."
    )
    error.status = ExitStatus.NOT_PUBLISHABLE
    raise error


if __name__ == "__main__":
    run_main(main)

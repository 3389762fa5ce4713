"""`testevo evaluate`: grade predictions against a dataset, from their files to the summary table and the reports."""

import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from testevo.cli.grading.lint import is_fatal, is_missing
from testevo.cli.grading.report import report
from testevo.cli.mining.workflow import run_workflow, write_given
from testevo.cli.options import FurtherSettings, SandboxOption, in_sandbox
from testevo.cli.places import DatasetOption, SnapshotOption, require_dataset
from testevo.cli.selection import NOTHING_CHOSEN, Choice, choosing, chosen_tasks, predicted_by_all, systems_of_files
from testevo.config.load import merge, read_yaml
from testevo.config.model import CONTROLS, FOLDER_NAME, Config
from testevo.config.snapshot.layout import Layout
from testevo.config.systems import systems_of
from testevo.grading.dataset.dataset_config import config_for
from testevo.grading.dataset.dataset_histories import DatasetHistories
from testevo.grading.dataset.made_from import is_made_from, key_of_inputs
from testevo.grading.lint import edits_for, unknown_tasks
from testevo.grading.result_key import grading_code_digest
from testevo.grading.submissions.prediction_files import read_predictions
from testevo.packaging.dataset.dataset_folder import open_dataset, verify_dataset
from testevo.records.base import read_records
from testevo.records.evaluation.grading import GradedTask
from testevo.records.tasks import Task
from testevo.runtime.errors import UsageError, UserError
from testevo.runtime.files.files import url_safe_name
from testevo.sandboxes.consent import require_consent

GRADED = ("evaluate", "aggregate")
"""The targets of the workflow."""


@choosing
def evaluate(
    dataset: DatasetOption = None,
    snapshot: SnapshotOption = None,
    predictions: Annotated[
        list[str], typer.Option("--predictions", help="File of predictions, or NAME=FILE; may be repeated.")
    ] = [],  # noqa: B006 - typer copies it
    output: Annotated[
        Path | None, typer.Option("--output", help="Folder of the results; results/<snapshot>-evaluation if absent.")
    ] = None,
    choice: Choice = NOTHING_CHOSEN,
    controls: Annotated[
        str, typer.Option("--controls", help=f"Control submissions, comma-separated, or all: {', '.join(CONTROLS)}.")
    ] = "",
    repair: Annotated[
        bool,
        typer.Option(
            "--repair", help="Also repair more than Markdown fences and line counts of hunks; each repair is recorded."
        ),
    ] = False,
    no_coverage: Annotated[bool, typer.Option("--no-coverage", help="Do not measure coverage.")] = False,
    no_mutation: Annotated[bool, typer.Option("--no-mutation", help="Do not run mutants.")] = False,
    strict: Annotated[bool, typer.Option("--strict", help="Make no tables when some outcome cannot be.")] = False,
    workers: Annotated[int, typer.Option("--workers", min=1, help="Jobs at the same time.")] = os.cpu_count() or 1,
    sandbox: SandboxOption = None,
    configuration: FurtherSettings = None,
) -> None:
    """Grade candidate tests. Ctrl-C is safe: the same command resumes, and nothing equal is graded twice.

    testevo evaluate --dataset results/demo/package/dataset --predictions mine.jsonl --controls gold,trivial
    """
    place = require_dataset(snapshot, dataset)
    opened = open_dataset(place)
    verify_dataset(place)
    selection = choice.selection()
    chosen = chosen_tasks(opened.tasks, selection, place)
    files = systems_of_files(predictions, choice.system)
    if choice.only_predicted:
        chosen = predicted_by_all(chosen, [read_predictions(Path(file), name) for name, file in files.items()])
        selection = selection.model_copy(update={"tasks": ",".join(one.task_id for one in chosen)})
    asked: dict[str, Any] = {
        **selection.model_dump(),
        "dataset": str(place),
        "predictions": files,
        "controls": chosen_controls(controls, predictions),
        "repair": repair,
        "coverage": not no_coverage,
        "mutation": {"enabled": False} if no_mutation else {},
    }
    further: dict[str, Any] = {"evaluation": asked, **({"analysis": {"strict": True}} if strict else {})}
    given = merge(read_yaml(configuration) if configuration else {}, further)
    config = config_for(opened, merge(in_sandbox(given, sandbox), settings_of(output)), origin="the command")

    lint_predictions(config, place, chosen)
    require_consent(config, f"the code of {place} and of what is submitted for it")
    layout = Layout.of(config)
    config_file = write_given(config, layout)
    run_workflow(
        config_file,
        layout,
        cores=workers,
        again=files_to_make_again(config, layout, place, opened.slugs),
        targets=GRADED,
        doing="grading",
    )
    report(layout.root)
    print(
        f"Tables, figures and report.json lie in {layout.aggregate}, reports in the shape of SWE-bench's in "
        f"{layout.evaluation}/<system>/report.json."
    )


def files_to_make_again(config: Config, layout: Layout, dataset: Path, slugs: Sequence[str]) -> list[Path]:
    """Files of grades that were made from other predictions, settings or tasks, or by other code, and of those in which
    the harness, not a candidate, failed: worth another try.
    """
    found = []
    for name, predictions in systems_of(config.evaluation).items():
        key = key_of_inputs(config, "evaluate", dataset, predictions, grading_code_digest())
        of_system = [layout.of_system(url_safe_name(name), slug) for slug in slugs]
        found += [
            files.graded
            for files in of_system
            if files.graded.is_file()
            and (
                not is_made_from(files.made_from, key)
                or any(one.infrastructure is not None for one in read_records(files.graded, GradedTask))
            )
        ]
    return found


def chosen_controls(text: str, predictions: Sequence[str]) -> list[str]:
    """The controls that a command line names."""
    names: list[str] = [*CONTROLS] if text == "all" else [name.strip() for name in text.split(",") if name.strip()]
    unknown = [name for name in names if name not in CONTROLS]
    if unknown:
        raise UsageError(f"--controls: there is no control {unknown[0]}. Known ones: {', '.join(CONTROLS)}.")
    if not names and not predictions:
        raise UsageError("nothing to grade: give --predictions FILE or --controls gold. See `testevo evaluate --help`.")
    return names


def settings_of(output: Path | None) -> dict[str, Any]:
    """The settings that lead results to a folder.

    Raises:
        UsageError: its name is none of a snapshot, or a snapshot was mined there, whose configuration would be lost.
    """
    if output is None:
        return {}
    whole = Path(os.path.abspath(output))  # noqa: PTH100 - `.` and `..` have no name of their own
    if not re.fullmatch(FOLDER_NAME, whole.name):
        raise UsageError(
            f"--output {output}: {whole.name!r} is no name of results. Give a folder whose name has letters, digits, "
            "dots, dashes, underscores and the sign @ only."
        )
    if (whole / "clone").is_dir():
        raise UsageError(f"--output {output}: a snapshot was mined there. Give a folder of its own to these results.")
    above = output.parent if output.name == whole.name else whole.parent
    return {"snapshot": whole.name, "results": str(above)}


def lint_predictions(config: Config, dataset: Path, tasks: Sequence[Task]) -> None:
    """Lint all predictions before anything runs: what stops a file stops here, the rest is told.

    Raises:
        UserError: a file is missing or cannot be read as predictions, or none of its predictions is for this dataset.
    """
    with DatasetHistories(dataset) as histories:
        for system, file in systems_of(config.evaluation).items():
            if file is None:
                continue
            given = read_predictions(file, system)
            unknown = unknown_tasks(given, histories.tasks)
            if given and len(unknown) == len(given):
                raise UserError(
                    f"{file}: none of the {len(given)} predictions is for a task of {dataset}. "
                    f"Check which dataset they are for; `testevo task list` shows the ids of a snapshot."
                )
            edits = edits_for(given, system, tasks, histories.target_of, config.evaluation.repair)
            absent = sum(map(is_missing, edits))
            bad = sum(map(is_fatal, edits)) - absent
            told = f"{system}: {len(edits) - bad - absent} of {len(edits)} tasks can be graded"
            told += f", {absent} have no prediction and are missing" if absent else ""
            told += f", {bad} cannot and become harness failures" if bad else ""
            told += f"; {len(unknown)} predictions are for unknown tasks" if unknown else ""
            why = f" (why: testevo lint --dataset {dataset} --predictions {file})" if bad or unknown else ""
            print(f"{told}{why}", flush=True)

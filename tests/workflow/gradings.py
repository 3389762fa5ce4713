"""Grading runs of the workflow tests: a dataset from elsewhere, predictions made up from it, and what a run leaves."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import yaml
from snapshots import CONSENT, Snapshot, command_line

from testevo.config.snapshot.layout import Layout
from testevo.grading.dataset.dataset_histories import DatasetHistories
from testevo.records.base import read_records
from testevo.records.evaluation.grading import GradedTask


@dataclass(frozen=True)
class Grading(Snapshot):
    """A grading run in `folder`; its results come to lie in `folder/out`."""

    @classmethod
    def of(
        cls, folder: Path, dataset: Path, cache: Path, predictions: Mapping[str, Mapping[str, str | None]]
    ) -> "Grading":
        """Predictions by system: the whole target file by task id, None for an empty one."""
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "dataset").symlink_to(dataset)
        machine = {"build": {"cache": str(cache)}, "execution": {"sandbox": CONSENT}}
        (folder / "machine.yaml").write_text(yaml.safe_dump(machine))
        made = cls(folder)
        for system, files in predictions.items():
            made.write(system, files)
        return made

    @property
    def layout(self) -> Layout:
        return Layout(self.folder / "out")

    def write(self, system: str, files: Mapping[str, str | None]) -> None:
        """The predictions file of a system."""
        with DatasetHistories(self.folder / "dataset") as histories:
            path_of = {task.task_id: histories.target_of(task).path for task in histories.tasks}
        lines = [
            {"instance_id": name, "model_name_or_path": system, "files": text and {path_of[name]: text}}
            for name, text in files.items()
        ]
        (self.folder / f"{system}.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in lines))

    def evaluate(self, *more: str, workers: int = 1) -> list[str]:
        """The command of a tool author, for all predictions files of the folder."""
        given = [word for file in sorted(self.folder.glob("*.jsonl")) for word in ("--predictions", file.name)]
        settings = ("--configuration", "machine.yaml", "--output", "out", "--workers", str(workers))
        return command_line("evaluate", "--dataset", "dataset", *given, *settings, *more)

    def outputs(self) -> dict[str, str]:
        """The digest of every file of grades, reports, tables and figures, by path."""
        root = self.layout.root
        files = [file for stage in ("evaluate", "aggregate") for file in (root / stage).rglob("*") if file.is_file()]
        return {
            file.relative_to(root).as_posix(): hashlib.sha256(file.read_bytes()).hexdigest()
            for file in sorted(files)
            if "logs" not in file.relative_to(root).parts
        }

    def kept(self) -> dict[str, int]:
        """When each result by content was written; one that is written again has another time."""
        return {file.stem: file.stat().st_mtime_ns for file in self.layout.graded.glob("??/*.json")}

    def grades(self, system: str) -> dict[str, GradedTask]:
        """The records of a system by task id."""
        files = sorted((self.layout.evaluation / system).glob("*.jsonl"))
        return {one.task_id: one for file in files for one in read_records(file, GradedTask)}


def developers_files(dataset: Path) -> dict[str, str]:
    """The developer's target file by task id."""
    with DatasetHistories(dataset) as histories:
        return {task.task_id: histories.target_of(task).gold.decode() for task in histories.tasks}

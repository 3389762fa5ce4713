"""The configuration to grade a dataset with: what it was mined with, below what this machine and run ask for."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from testevo.config.load import load_config, merge
from testevo.config.model import Config
from testevo.packaging.dataset.dataset_folder import DESCRIPTION, DatasetFolder, open_dataset
from testevo.packaging.dataset_writer import without_machine_keys
from testevo.runtime.errors import UserError


def read_configuration(given: Mapping[str, Any]) -> Config:
    """The configuration of a workflow: of a snapshot that is mined, or of a dataset that is graded.

    Raises:
        UsageError: an unknown key or a value out of range.
        UserError: `evaluation.dataset` names no dataset, or one of another schema version.
    """
    evaluation = given.get("evaluation")
    dataset = evaluation.get("dataset") if isinstance(evaluation, Mapping) else None
    return load_config(given) if dataset is None else config_for(open_dataset(Path(str(dataset))), given)


def config_for(dataset: DatasetFolder, given: Mapping[str, Any], *, origin: str = "the configuration") -> Config:
    """The whole configuration of a grading run on a dataset.

    Results lie in a folder of their own, `<snapshot>-evaluation`, unless `given` names another one. Time limits,
    memory and build overrides are those of the dataset unless `given` says otherwise, so that two machines grade alike,
    and so are the JDKs to choose among; places of the mining machine are not part of a dataset.

    Args:
        given: nested keys and values as in `config/config.default.yaml`.
        origin: what to call `given` in messages.

    Raises:
        UsageError: an unknown key or a value out of range.
        UserError: the dataset does not say how it was mined.
    """
    described = dataset.description
    mined = {**_mined_with(dataset), "preset": described["preset"], "rules": described["rules"]}
    mined["snapshot"] += "-evaluation"
    of_dataset = merge(mined, {"build": {"preferred_jdks": list(dataset.jdks)}})
    return load_config(merge(of_dataset, given), origin=origin)


def _mined_with(dataset: DatasetFolder) -> dict[str, Any]:
    """The configuration in a dataset's description, with the keys that grading needs.

    Whatever it says, only the user of this machine gives consent to run its code, by naming a sandbox, and decides
    which programs start and where keys are sent.
    """
    config = dataset.description["config"]
    asked: tuple[tuple[str, type], ...] = (("execution", Mapping), ("snapshot", str))
    missing = [key for key, kind in asked if not isinstance(config, Mapping) or not isinstance(config.get(key), kind)]
    if missing:
        raise UserError(
            f"{dataset.folder / DESCRIPTION} lacks {' and '.join(f'config.{key}' for key in missing)}, so nobody knows "
            f"how to grade it. Fetch the dataset again, or package it again."
        )
    return without_machine_keys(config)

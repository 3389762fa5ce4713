"""The configuration to grade a dataset with: what it was mined with, below what this machine and run ask for."""

from collections.abc import Mapping
from typing import Any

from testevo.config.load import load_config, merge
from testevo.config.model import Config
from testevo.tasks.dataset_folder import DatasetFolder


def config_for(dataset: DatasetFolder, given: Mapping[str, Any], *, origin: str = "the configuration") -> Config:
    """The whole configuration of a grading run on a dataset.

    Time limits, memory and build overrides are those of the dataset unless `given` says otherwise, so that two machines
    grade alike; places of the mining machine are not part of a dataset.

    Args:
        given: nested keys and values as in `config/config.default.yaml`.
        origin: what to call `given` in messages.

    Raises:
        UsageError: an unknown key or a value out of range.
    """
    described = dataset.description
    mined = {**described["config"], "preset": described["preset"], "rules": described["rules"]}
    return load_config(merge(mined, given), origin=origin)

"""Reading a dataset folder: its version is checked before anything in it is believed."""

import json
from pathlib import Path

import pytest

from testevo.packaging.dataset.dataset_folder import READABLE, SCHEMA_VERSION, open_dataset, verify_dataset
from testevo.runtime.errors import UserError


def describe(folder: Path, **description: object) -> None:
    (folder / "snapshot.json").write_text(json.dumps(description))


@pytest.mark.parametrize("schema", [READABLE[0] - 1, SCHEMA_VERSION + 1])
def test_another_schema_version_is_refused_with_the_version_that_wrote_it(tmp_path: Path, schema: int) -> None:
    describe(tmp_path, schema=schema, versions={"testevo": "0.0.9"})
    with pytest.raises(UserError, match=rf"schema version {schema}, .+version 0\.0\.9.+package"):
        open_dataset(tmp_path)


@pytest.mark.parametrize("content", ["", "[]", "{}", "null"])
def test_a_folder_that_describes_no_dataset_is_refused(tmp_path: Path, content: str) -> None:
    (tmp_path / "snapshot.json").write_text(content)
    with pytest.raises(UserError, match="describes no dataset"):
        open_dataset(tmp_path)


def test_a_folder_without_a_description_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"is not a dataset: snapshot\.json cannot be read"):
        open_dataset(tmp_path / "nowhere")


def test_a_description_without_what_grading_needs_is_refused(tmp_path: Path) -> None:
    describe(tmp_path, schema=SCHEMA_VERSION, preset="strict")
    with pytest.raises(UserError, match="lacks config, rules"):
        open_dataset(tmp_path)


@pytest.mark.parametrize("value", [None, [], "text"])
@pytest.mark.parametrize("name", ["rules", "config", "versions"])
def test_a_description_with_values_of_other_kinds_is_refused(tmp_path: Path, name: str, value: object) -> None:
    described = {"schema": SCHEMA_VERSION, "preset": "strict", "rules": {}, "config": {}, "versions": {}}
    describe(tmp_path, **described | {name: value})
    with pytest.raises(UserError, match=rf"snapshot\.json: {name} should hold keys and values\. Fetch"):
        open_dataset(tmp_path)


@pytest.mark.parametrize("schema", READABLE)
def test_a_dataset_of_this_version_and_the_one_before_is_opened(tmp_path: Path, schema: int) -> None:
    describe(tmp_path, schema=schema, preset="strict", rules={}, config={})
    (tmp_path / "checksums.sha256").touch()
    assert open_dataset(tmp_path).schema == schema


def test_a_dataset_without_its_checksums_is_refused_by_every_reader(tmp_path: Path) -> None:
    """They are written last: whatever else is there, the writer was interrupted."""
    describe(tmp_path, schema=SCHEMA_VERSION, preset="strict", rules={}, config={})
    for read in (open_dataset, verify_dataset):
        with pytest.raises(UserError, match=r"no complete dataset: checksums\.sha256.+testevo mine.+copy"):
            read(tmp_path)

"""Generated files are in step with the code that generates them."""

from pathlib import Path

import jsonschema
import pytest
import yaml

from testevo.config.generate import GENERATED, schema_file
from testevo.config.load import load_config
from testevo.records.formats import PAGE, formats_page

PROJECT = Path(__file__).resolve().parents[3]


@pytest.mark.parametrize("name", GENERATED)
def test_generated_configuration_files_are_in_step(name: str) -> None:
    written = (PROJECT / name).read_text(encoding="utf-8")
    assert written == GENERATED[name](), f"{name} is out of step: run `make generate`"


def test_the_formats_page_is_in_step() -> None:
    assert PAGE.read_text(encoding="utf-8") == formats_page(), "docs/formats.md is out of step: run `make generate`"


def test_the_default_file_is_a_configuration_and_equals_the_defaults() -> None:
    given = yaml.safe_load((PROJECT / "config/config.default.yaml").read_text(encoding="utf-8"))
    assert load_config(given) == load_config({})


@pytest.mark.parametrize("path", sorted((PROJECT / "config/snapshots").glob("*.yaml")), ids=lambda path: path.name)
def test_every_snapshot_follows_the_schema_and_loads(path: Path) -> None:
    given = yaml.safe_load(path.read_text(encoding="utf-8"))
    jsonschema.validate(given, yaml.safe_load(schema_file()))
    assert load_config(given).snapshot

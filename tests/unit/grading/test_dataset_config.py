"""Which settings a grading run takes from the dataset and which from its own machine."""

from pathlib import Path

import pytest

from testevo.config.model import Build, Config, Execution, ListedRepository, Sources
from testevo.grading.dataset.dataset_config import config_for
from testevo.packaging.dataset.dataset_folder import DatasetFolder
from testevo.packaging.dataset_writer import Snapshot, snapshot_description
from testevo.runtime.errors import UsageError, UserError

MINED = Config(
    snapshot="mined",
    sources=Sources(
        repositories=(
            ListedRepository.model_validate(
                {"name": "o/r", "address": "/there", "overrides": {"jdk": 11, "reason": "old"}}
            ),
        )
    ),
    build=Build(cache="/there/cache"),
    execution=Execution(method_seconds=17),
)


def dataset() -> DatasetFolder:
    return DatasetFolder(Path("unread"), snapshot_description(Snapshot(MINED, [], {}, {}, [], [])))


def test_limits_and_overrides_come_from_the_dataset_and_places_from_this_machine() -> None:
    """Two machines grade alike; what a run asks for wins (TEB-E14)."""
    config = config_for(dataset(), {"snapshot": "mine", "build": {"cache": "/here"}, "execution": {"sandbox": "none"}})
    assert (config.snapshot, config.build.cache, config.execution.method_seconds) == ("mine", "/here", 17)
    assert config.sources.repositories[0].overrides.jdk == 11
    assert config_for(dataset(), {"execution": {"method_seconds": 5}}).execution.method_seconds == 5
    assert config_for(dataset(), {}).rules == MINED.rules


def test_grading_prefers_the_jdks_that_the_dataset_was_made_with(tmp_path: Path) -> None:
    """Also where the machine has a smaller one that fits; what a run asks for wins."""

    def preferred(given: list[int] | None = None) -> tuple[int, ...]:
        folder = DatasetFolder(tmp_path, dataset().description)
        return config_for(folder, {"build": {"preferred_jdks": given}} if given else {}).build.preferred_jdks

    assert preferred() == ()
    (tmp_path / "provenance.json").write_text('{"git": "2.39", "jdk 17": "17.0.15", "jdk 8": null, "jdk x": "1"}')
    assert (preferred(), preferred([11])) == ((8, 17), (11,))


@pytest.mark.parametrize("content", ["[]", "{"])
def test_a_provenance_that_cannot_be_read_is_named(tmp_path: Path, content: str) -> None:
    (tmp_path / "provenance.json").write_text(content)
    with pytest.raises(UserError, match=r"provenance\.json .+Fetch or package the dataset again"):
        config_for(DatasetFolder(tmp_path, dataset().description), {})


def test_a_dataset_gives_no_consent_to_run_its_code() -> None:
    """Neither the sandbox nor the engine of a container is the dataset's to choose; older datasets name one."""
    description = snapshot_description(Snapshot(MINED, [], {}, {}, [], []))
    assert "sandbox" not in description["config"]["execution"]
    description["config"]["execution"] |= {"sandbox": "none", "container_engine": "unix:///elsewhere"}
    execution = config_for(DatasetFolder(Path("unread"), description), {}).execution
    assert (execution.sandbox, execution.container_engine, execution.method_seconds) == ("auto", None, 17)


def test_a_dataset_chooses_no_program_and_no_address_on_this_machine() -> None:
    """A system of its own would be sent the user's key; a JDK of its own would be started outside any sandbox."""
    description = snapshot_description(Snapshot(MINED, [], {}, {}, [], []))
    system = {"model": "m", "address": "https://elsewhere", "key_variable": "USERS_KEY"}
    description["config"] |= {"solving": {"systems": {"x": system}}, "results": "/elsewhere", "lock": "/elsewhere"}
    description["config"]["build"] |= {"java_homes": ["/elsewhere"], "mirror": "https://elsewhere"}
    own = {"solving": {"systems": {"mine": {**system, "address": "https://here"}}}}
    config = config_for(DatasetFolder(Path("unread"), description), own)
    assert config.solving.systems.keys() == {"mine"}
    assert "elsewhere" not in config.model_dump_json()


def test_a_bad_key_names_where_it_stands() -> None:
    with pytest.raises(UsageError, match=r"the file: unknown key evaluation\.datset; did you mean dataset"):
        config_for(dataset(), {"evaluation": {"datset": "x"}}, origin="the file")


@pytest.mark.parametrize("key", ["execution", "snapshot"])
def test_a_dataset_without_its_configuration_is_named(key: str) -> None:
    description = snapshot_description(Snapshot(MINED, [], {}, {}, [], []))
    del description["config"][key]
    with pytest.raises(
        UserError, match=rf"snapshot\.json lacks config\.{key}, so nobody knows how to grade it\. Fetch"
    ):
        config_for(DatasetFolder(Path("unread"), description), {})

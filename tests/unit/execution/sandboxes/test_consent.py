"""Untrusted code needs a sandbox that isolates files, or the user's yes; trusted code runs everywhere."""

from pathlib import Path
from typing import Any

import pytest

from testevo.cli.inspecting.compare_engines import compare_engines
from testevo.cli.mining.mine import mine
from testevo.config.load import load_config, read_yaml
from testevo.config.model import Config
from testevo.records.repository import Repository, SourceKind
from testevo.revisions.workspace import Workspace
from testevo.runtime.errors import ExitStatus, MachineError, UserError
from testevo.runtime.files.project import PROJECT
from testevo.sandboxes import consent, sandbox, sandboxes
from testevo.sandboxes.consent import granted, require_consent_to_mine
from testevo.sources.candidates import candidates
from testevo.sources.trusted import is_trusted

MANY = [{"name": f"o/n{number}", "address": "/nowhere"} for number in range(5)]


@pytest.fixture
def bare(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine without bubblewrap and containers."""
    monkeypatch.setattr(sandbox, "bubblewrap_works", lambda: False)
    monkeypatch.setattr(sandboxes.shutil, "which", lambda program: None)
    monkeypatch.delenv("DOCKER_HOST", raising=False)
    monkeypatch.setattr(sandbox, "_warned", set())


def has_name_spaces(monkeypatch: pytest.MonkeyPatch, works: bool) -> None:
    monkeypatch.setattr(consent, "name_spaces_work", lambda network=True: works)


def named(name: str, **more: Any) -> Config:
    return load_config({"execution": {"sandbox": name}, **more})


def in_force(config: Config, *, trusted: bool) -> str:
    return granted(config, "the code of o/n", trusted=trusted).execution.sandbox


@pytest.mark.usefixtures("bare")
def test_untrusted_code_is_refused_where_nothing_isolates_files(monkeypatch: pytest.MonkeyPatch) -> None:
    """The message names what would run, what is missing, how to install it, how to say yes, and what builds may do."""
    has_name_spaces(monkeypatch, True)
    with pytest.raises(MachineError) as caught:
        in_force(load_config({}), trusted=False)
    assert caught.value.status is ExitStatus.MACHINE
    for words in (
        "The code of o/n is untrusted",
        "(`bwrap`) is not installed",
        "no container engine such as Podman",
        "apt-get install bubblewrap",
        "--sandbox none",
        "`execution.sandbox: none`",
        "Maven builds it",
    ):
        assert words in str(caught.value)


@pytest.mark.usefixtures("bare")
@pytest.mark.parametrize("name", ["none", "unshare"])
def test_the_name_of_a_sandbox_is_a_yes(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    has_name_spaces(monkeypatch, True)
    assert in_force(named(name), trusted=False) == name


@pytest.mark.usefixtures("bare")
def test_root_runs_nothing_untrusted_without_a_process_name_space(monkeypatch: pytest.MonkeyPatch) -> None:
    has_name_spaces(monkeypatch, False)
    monkeypatch.setattr(consent.os, "geteuid", lambda: 0)
    with pytest.raises(MachineError, match="another user, or install bubblewrap"):
        in_force(named("none"), trusted=False)
    monkeypatch.setattr(consent.os, "geteuid", lambda: 1000)
    assert in_force(named("none"), trusted=False) == "none"


@pytest.mark.usefixtures("bare")
def test_trusted_code_runs_everywhere(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """In the best sandbox, else in name spaces, else without any, also as root, with a note that is printed once."""
    has_name_spaces(monkeypatch, True)
    assert in_force(load_config({}), trusted=True) == "unshare"
    has_name_spaces(monkeypatch, False)
    assert capsys.readouterr().err == ""
    assert [in_force(load_config({}), trusted=True) for _ in range(2)] == ["none", "none"]
    said = capsys.readouterr().err
    assert said.count("no sandbox works here") == 1 and "o/n is trusted" in said


def test_where_bubblewrap_works_nothing_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandbox, "bubblewrap_works", lambda: True)
    for trusted in (True, False):
        assert in_force(load_config({}), trusted=trusted) == "bubblewrap"


def test_surefire_runs_untrusted_tests_only_after_a_yes(monkeypatch: pytest.MonkeyPatch) -> None:
    """The engine `maven` knows no sandbox, whether there is one or not."""
    monkeypatch.setattr(sandbox, "bubblewrap_works", lambda: True)
    has_name_spaces(monkeypatch, True)
    with pytest.raises(MachineError, match="outside any sandbox"):
        in_force(load_config({"build": {"engine": "maven"}}), trusted=False)
    assert in_force(named("none", build={"engine": "maven"}), trusted=False) == "none"
    assert in_force(load_config({"build": {"engine": "maven"}}), trusted=True) == "bubblewrap"


@pytest.mark.usefixtures("bare")
def test_the_refusal_names_some_of_the_histories_of_a_snapshot() -> None:
    config = load_config({"sources": {"worlds": ["savings"], "repositories": MANY}})
    with pytest.raises(MachineError, match=r"The code of o/n0, o/n1, o/n2 and 2 more is untrusted"):
        require_consent_to_mine(config)
    require_consent_to_mine(load_config({"sources": {"worlds": ["all"]}}))


@pytest.mark.usefixtures("bare")
def test_commands_refuse_before_they_write_anything(tmp_path: Path) -> None:
    with pytest.raises(MachineError, match="local/history is untrusted"):
        mine("local/history", results=tmp_path / "results", configuration=None, cores=1)
    with pytest.raises(MachineError, match="history is untrusted"):
        compare_engines("local/history", results=tmp_path / "results", commits=1, cores=1)
    assert not (tmp_path / "results").exists()


@pytest.mark.usefixtures("bare")
def test_a_job_refuses_too_unless_it_only_builds(tmp_path: Path) -> None:
    """Whoever runs Snakemake, or a script, meets the same refusal before the history is unpacked."""
    repository = Repository(name="o/n", source=SourceKind.LIST, address="x")
    with pytest.raises(MachineError, match="The code of o/n is untrusted"):
        Workspace(repository, tmp_path / "no.bundle", load_config({}), tmp_path)
    with pytest.raises(UserError, match=r"no\.bundle"):
        Workspace(repository, tmp_path / "no.bundle", load_config({}), tmp_path, only_builds=True)


def test_embedded_histories_and_known_releases_are_trusted(tmp_path: Path) -> None:
    """Not a folder of the user that is called like ours, nor a release that is not known."""

    def trust(**sources: Any) -> list[bool]:
        config = load_config({"sources": sources})
        return [is_trusted(one, config) for one in candidates(config)]

    demo = {"coordinates": "commons-cli:commons-cli", "versions": ["1.10.0", "1.11.0"]}
    assert trust(worlds=["savings", "orchard"], releases=[demo]) == [True, True, True]
    assert trust(releases=[{**demo, "versions": ["1.9.0", "1.10.0"]}]) == [False]
    assert trust(releases=[{**demo, "coordinates": "commons-csv:commons-csv"}]) == [False]
    assert trust(repositories=[{"name": "worlds/savings", "address": "/nowhere"}]) == [False]
    copied = tmp_path / "worlds" / "savings"
    copied.mkdir(parents=True)
    source = load_config({}).sources.worlds_place / "savings" / "world.yaml"
    (copied / "world.yaml").write_bytes(source.read_bytes())
    assert trust(worlds=["savings"], worlds_folder=str(tmp_path / "worlds")) == [False]


@pytest.mark.parametrize("snapshot", ["demo", "sample", "worlds"])
def test_what_the_readme_mines_first_is_trusted(snapshot: str) -> None:
    config = load_config(read_yaml(PROJECT / "config" / "snapshots" / f"{snapshot}.yaml"))
    assert all(is_trusted(one, config) for one in candidates(config))

"""Before a system works on a task, its sandbox must keep the answer away."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from testevo.agents.solving.proof import leaks_of, prove
from testevo.runtime.errors import MachineError
from testevo.sandboxes.mounts import Confinement
from testevo.sandboxes.sandbox import Bubblewrap, NoSandbox, bubblewrap_works
from testevo.sandboxes.watching import ProcessLimits

needs_bubblewrap = pytest.mark.skipif(not bubblewrap_works(), reason="bubblewrap does not work on this machine")


@pytest.fixture
def dataset(tmp_path: Path) -> Path:
    folder = tmp_path / "dataset"
    (folder / "histories").mkdir(parents=True)
    (folder / "update.jsonl").write_text("{}\n")
    (folder / "histories" / "a.bundle").write_text("bundle\n")
    return folder


class Leaky(Bubblewrap):
    """Bubblewrap with options that it must not have."""

    def __init__(self, *options: str) -> None:
        super().__init__()
        self.options = options

    @property
    def identity(self) -> str:
        return f"leaky {self.options}"

    def command(self, command: Sequence[str], confinement: Confinement) -> list[str]:
        argv = super().command(command, confinement)
        place = argv.index("/dev/shm") + 1
        return [*argv[:place], *self.options, *argv[place:]]


@needs_bubblewrap
def test_bubblewrap_keeps_the_answer_away(dataset: Path, tmp_path: Path) -> None:
    scratch = tmp_path / "scratch"
    assert leaks_of(Bubblewrap(), dataset, scratch) == []
    prove(Bubblewrap(), dataset, scratch)
    assert list(scratch.iterdir()) == []


@needs_bubblewrap
@pytest.mark.parametrize(
    ("options", "says"),
    [
        (("--share-net",), "loopback interface was reached"),
        (("--ro-bind", "{dataset}", "{dataset}"), "2 files were read"),
        (("--bind", "{dataset}", "{dataset}"), "a file appeared in {dataset}"),
        (("--ro-bind", "{scratch}", "{scratch}"), "1 files were read"),
        (("--bind", "{scratch}", "{scratch}"), "a file appeared in {scratch}"),
    ],
)
def test_a_sandbox_that_leaks_lets_no_system_run(
    dataset: Path, tmp_path: Path, options: Sequence[str], says: str
) -> None:
    places = {"dataset": dataset, "scratch": tmp_path / "scratch"}
    leaky = Leaky(*(option.format(**places) for option in options))
    with pytest.raises(MachineError, match="does not keep the answer from systems") as refused:
        prove(leaky, dataset, places["scratch"])
    assert says.format(**places) in str(refused.value)
    assert list(places["scratch"].iterdir()) == []
    assert sorted(path.name for path in dataset.iterdir()) == ["histories", "update.jsonl"]


def test_without_a_sandbox_the_network_is_reached_and_the_user_has_said_yes(dataset: Path, tmp_path: Path) -> None:
    assert leaks_of(NoSandbox(), dataset, tmp_path / "scratch")
    prove(NoSandbox(), dataset, tmp_path / "scratch")


@needs_bubblewrap
def test_a_sandbox_that_runs_nothing_is_refused_with_its_words(dataset: Path, tmp_path: Path) -> None:
    with pytest.raises(MachineError, match="cannot run a program"):
        prove(Leaky("--no-such-option"), dataset, tmp_path / "scratch")


@needs_bubblewrap
def test_settings_of_the_machine_are_read_only_inside(tmp_path: Path) -> None:
    """For root too, who owns their files; those of the run's own name spaces are nobody else's."""
    own = tmp_path / "own"
    own.mkdir()
    tries = "for one in kernel/core_pattern vm/drop_caches vm/swappiness kernel/modprobe fs/file-max; do "
    tries += "test -r /proc/sys/$one && echo seen; test -w /proc/sys/$one && echo writable $one; done; true"
    ended = Bubblewrap().run(
        lambda _: ["/bin/sh", "-c", tries],
        Confinement(own, (), (own,), 64, disk_mb=64),
        {"PATH": "/usr/bin:/bin"},
        ProcessLimits(60, 2**16),
    )
    assert b"writable" not in ended.stdout and b"seen" in ended.stdout, ended

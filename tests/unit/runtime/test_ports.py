"""Locks of runs that share the ports of the machine lie in a folder of this user, and nowhere else."""

import tempfile
from pathlib import Path

import pytest

from testevo.runtime.errors import MachineError
from testevo.runtime.processes.ports import sharing_ports


@pytest.mark.parametrize("kind", ["file", "link"])
def test_what_stands_in_the_place_of_the_folder_is_named(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    assert sharing_ports(lambda: 1, lambda done: False) == 1
    [folder] = tmp_path.iterdir()
    moved = folder.rename(tmp_path / "elsewhere")
    if kind == "link":
        folder.symlink_to(moved)
    else:
        folder.write_text("")
    with pytest.raises(MachineError, match=f"{folder.name} is not a folder of this user"):
        sharing_ports(lambda: 1, lambda done: False)

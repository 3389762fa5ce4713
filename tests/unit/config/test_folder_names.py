"""Names of folders that Java works in."""

import re
from pathlib import Path
from urllib.parse import unquote_plus

import pytest

from testevo.builds.project.local_repository import local_repository
from testevo.cli.mining.mine import single
from testevo.config.snapshot.layout import RepositoryFiles, SystemFiles
from testevo.runtime.errors import MachineError
from testevo.runtime.files.files import require_url_safe, url_safe_name


def test_nothing_that_java_reads_lies_in_a_folder_that_decoding_its_address_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Lombok 1.18.12 looks for its own jar that way, and tests for their resources."""
    monkeypatch.setenv("TESTEVO_SCRATCH", str(tmp_path))
    snapshot = Path(single("owner/name", None, None, None)["snapshot"])
    folders = [
        snapshot,
        RepositoryFiles(Path("a b+c"), "owner+name").scratch.relative_to(tmp_path),
        SystemFiles(snapshot, "a system%", "owner+name").scratch.relative_to(tmp_path),
        local_repository(tmp_path, "group+artifact", None).artifacts.relative_to(tmp_path),
    ]
    assert [unquote_plus(str(folder)) for folder in folders] == [str(folder) for folder in folders]
    assert not any(" " in str(folder) for folder in folders)


def test_the_parts_of_a_name_can_still_be_read() -> None:
    assert url_safe_name("apache+commons-cli") == "apache__commons-cli"


@pytest.mark.parametrize("name", ["a b", "a+b", "a%20b", "é", "a:b", "a#b"])
def test_a_folder_whose_address_is_written_otherwise_is_refused_with_what_to_do(name: str, tmp_path: Path) -> None:
    with pytest.raises(MachineError, match=f"{re.escape(name)}/work has .* in its path.*: set this instead"):
        require_url_safe(tmp_path / name / "work", "set this instead")


def test_a_folder_with_plain_letters_is_taken(tmp_path: Path) -> None:
    folder = tmp_path / "owner__name@1.0_x-y"
    assert require_url_safe(folder, "") == folder

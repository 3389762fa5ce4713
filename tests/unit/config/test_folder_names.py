"""Names of folders that Java works in."""

from pathlib import Path
from urllib.parse import unquote_plus

import pytest

from testevo.builds.project.local_repository import local_repository
from testevo.cli.mining.mine import single
from testevo.config.snapshot.layout import RepositoryFiles, SystemFiles
from testevo.runtime.files.files import url_safe_name


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

"""Lists of digests in the form of `sha256sum`."""

from pathlib import Path

import pytest

from testevo.runtime.errors import UserError
from testevo.runtime.files.checksums import checksum_lines, read_checksums

DIGEST = "0" * 64


def test_a_list_is_read_as_it_was_written(tmp_path: Path) -> None:
    """Sorted by name, so that equal digests give equal bytes."""
    file = tmp_path / "list"
    file.write_text(checksum_lines({"b": "1" * 64, "a": DIGEST}))
    assert file.read_text() == f"{DIGEST}  a\n{'1' * 64}  b\n"
    assert read_checksums(file) == {"a": DIGEST, "b": "1" * 64}


def test_remarks_are_skipped_and_other_lines_are_named(tmp_path: Path) -> None:
    """The form is that of `sha256sum`."""
    file = tmp_path / "list"
    file.write_text(f"# a remark\n{DIGEST}  a name with spaces\n")
    assert read_checksums(file) == {"a name with spaces": DIGEST}
    file.write_text("no checksum\n")
    with pytest.raises(UserError, match="list:1 is not a checksum"):
        read_checksums(file)
    with pytest.raises(UserError, match="cannot be read"):
        read_checksums(tmp_path / "none")

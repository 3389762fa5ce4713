"""A release that is trusted is the one that this project knows, or none at all."""

import hashlib
from pathlib import Path

import pytest

from testevo.runtime.errors import UserError
from testevo.sources import trusted
from testevo.sources.release_download import ARTIFACTS, Release
from testevo.sources.trusted import check_releases, known_releases


def test_a_trusted_release_that_differs_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    digests = {}
    for name in ARTIFACTS:
        (tmp_path / name).write_text(name)
        digests[name] = hashlib.sha256(name.encode()).hexdigest()
    monkeypatch.setattr(trusted, "known_releases", lambda: {"g:a": {"1": digests}})
    check_releases("g:a", (Release("1", tmp_path),))
    (tmp_path / "test-sources.jar").write_text("another")
    check_releases("g:a", (Release("2", tmp_path),))
    with pytest.raises(UserError, match=r"test-sources\.jar of g:a:1 is not the file that trusted-releases"):
        check_releases("g:a", (Release("1", tmp_path),))


def test_every_file_of_a_known_release_has_its_checksum() -> None:
    assert known_releases()
    for versions in known_releases().values():
        assert all(set(digests) == set(ARTIFACTS) for digests in versions.values())
        assert all(isinstance(version, str) for version in versions)
        assert all(len(digest) == 64 for digests in versions.values() for digest in digests.values())

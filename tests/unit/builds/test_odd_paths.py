"""A path that no disk takes, wherever in a build it comes up, is a failure of that revision."""

import errno
import os
from pathlib import Path

import pytest

from testevo.builds.context import BuildContext
from testevo.builds.engine import BuildResult, Checkout
from testevo.builds.preparation import Preparation
from testevo.builds.project.jdks import find_jdks
from testevo.builds.project.local_repository import local_repository
from testevo.records.verdicts import BuildOutcome
from tests.engines.small_projects import pom, write_project


def ended(folder: Path, number: int, name: str) -> BuildResult:
    """What becomes of a build in which the system says this of a path."""
    checkout: Checkout = write_project(folder / "checkout", {"pom.xml": pom()})
    local = local_repository(folder / "cache", "some+project", None)
    context = BuildContext(local, folder / "cache", folder / "work", find_jdks())

    def build(prepared: Preparation) -> BuildResult:
        raise OSError(number, os.strerror(number), str(folder / name))

    return context.with_fitting_jdk(checkout, build)


@pytest.mark.parametrize(
    ("number", "name", "said"),
    [
        (errno.ENAMETOOLONG, "n" * 300, f"File name too long: {'n' * 80}..."),
        (errno.ELOOP, "loop", "Too many levels of symbolic links: loop"),
        (errno.ENOTDIR, "file/below", "Not a directory: below"),
        (errno.EISDIR, "folder", "Is a directory: folder"),
    ],
)
def test_a_path_that_no_disk_takes_fails_its_revision_alone(number: int, name: str, said: str, tmp_path: Path) -> None:
    """The reason is the same on every machine: it names no folder of this one."""
    result = ended(tmp_path, number, name)
    assert (result.outcome, result.tree) == (BuildOutcome.BUILD_TOOL_FAILED, None)
    assert result.reason == f"owner/repo at 1a2b3c4: {said}"


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EMFILE, errno.EIO, errno.EACCES, errno.ENOENT])
def test_what_a_machine_lacks_is_no_failure_of_a_revision(number: int, tmp_path: Path) -> None:
    with pytest.raises(OSError, match=os.strerror(number)):
        ended(tmp_path, number, "name")

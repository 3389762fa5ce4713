"""A commit that a required check refuses builds, runs no test and ends no pair."""

from pathlib import Path

import pytest
from histories import POM, git_folder
from snapshots import Snapshot, warm_cache

from testevo.records.base import read_records
from testevo.records.repository import Commit
from testevo.records.verdicts import BuildOutcome, BuildVerdict, SuiteOutcome, SuiteVerdict

pytestmark = [pytest.mark.maven, pytest.mark.xdist_group("bad histories")]

ENFORCER = (
    "<plugin><artifactId>maven-enforcer-plugin</artifactId><version>3.4.1</version><executions><execution><goals>"
    "<goal>enforce</goal></goals><configuration><rules><requireFilesExist><files><file>NOTICE</file></files>"
    "</requireFilesExist></rules></configuration></execution></executions></plugin>"
)
WITHOUT = {"pom.xml": POM.replace("</project>", f"<build><plugins>{ENFORCER}</plugins></build></project>")}
WITH = {**WITHOUT, "NOTICE": "who made it\n"}


@pytest.mark.parametrize("required", [[], ["maven-enforcer-plugin"]])
def test_a_required_check_decides_whether_a_commit_is_usable(
    tmp_path: Path, shared_cache: Path, required: list[str]
) -> None:
    history = git_folder(tmp_path / "history", [WITH, WITHOUT, WITH])
    snapshot = Snapshot.made(
        tmp_path,
        warm_cache(shared_cache, tmp_path / "cache"),
        {"repositories": [{"name": "some/thing", "address": str(history)}]},
        rules={"walk": {"collapse": "none"}, "pairs": {"required_checks": required}},
    )
    finished = snapshot.run(snapshot.workflow("results/small/build_check/some+thing/builds.jsonl", cores=2))
    assert finished.returncode == 0, finished.stdout[-3000:] + finished.stderr[-3000:]
    files = snapshot.files("some+thing")
    builds = {one.revision: one for one in read_records(files.builds, BuildVerdict)}
    suites = {one.revision: one for one in read_records(files.suites, SuiteVerdict)}
    commits = [commit.revision for commit in read_records(files.commits, Commit)]
    built, refused = BuildOutcome.BUILT, BuildOutcome.CHECK_FAILED if required else BuildOutcome.BUILT
    assert [builds[one].outcome for one in commits] == [built, refused, built]
    if required:
        assert suites[commits[1]].outcome is SuiteOutcome.NOT_RUN
        assert "maven-enforcer-plugin" in builds[commits[1]].reason
    assert suites[commits[0]].outcome is SuiteOutcome.NO_TESTS

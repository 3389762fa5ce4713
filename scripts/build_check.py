"""build_check: compile every kept commit and run its suite.

Reads the walk, writes one `BuildVerdict` and one `SuiteVerdict` per kept commit (TEB-M08, M09, M13, M14).
"""

from stage import Stage, stage_arguments

from testevo.config.resolved import stage_key
from testevo.evolution.workspace import Workspace
from testevo.execution.journal import Journal
from testevo.execution.runner import SuiteRun
from testevo.ground.files import content_key
from testevo.ground.handler import run_main
from testevo.ground.progress import followed
from testevo.records.base import read_records, write_records
from testevo.records.repository import Commit
from testevo.records.verdicts import BuildVerdict, SuiteOutcome, SuiteVerdict


def main() -> None:
    stage = stage_arguments(__doc__)
    commits = [commit for commit in read_records(stage.files.commits, Commit) if commit.rejection is None]
    builds, suites = check(stage, commits) if commits else ([], [])
    write_records(stage.files.builds, builds)
    write_records(stage.files.suites, suites)


def check(stage: Stage, commits: list[Commit]) -> tuple[list[BuildVerdict], list[SuiteVerdict]]:
    """Both verdicts of each commit; those finished by an interrupted run come from its journal."""
    builds, suites = [], []
    with (
        Workspace(stage.repository, stage.files.bundle, stage.config, stage.files.scratch) as workspace,
        Journal(stage.files.journal("build_check")) as journal,
    ):
        for commit in followed(commits, stage.files.progress("build_check"), "commits checked"):
            key = content_key(stage_key(stage.config, "build_check", stage.files.slug), commit.revision)
            known = journal.get(key)
            if known is None:
                build, suite = check_commit(workspace, commit)
                journal.put(key, {"build": build.model_dump(mode="json"), "suite": suite.model_dump(mode="json")})
            else:
                build = BuildVerdict.model_validate(known["build"])
                suite = SuiteVerdict.model_validate(known["suite"])
            builds.append(build)
            suites.append(suite)
    return builds, suites


def check_commit(workspace: Workspace, commit: Commit) -> tuple[BuildVerdict, SuiteVerdict]:
    result = workspace.build(commit.revision)
    run = workspace.runner.run_suite(result.tree) if result.tree else SuiteRun(SuiteOutcome.NOT_RUN, "")
    suite = SuiteVerdict(
        repository=commit.repository, revision=commit.revision, outcome=run.outcome, reason=run.reason, tests=run.tests
    )
    return result.verdict(workspace.checkout(commit.revision)), suite


if __name__ == "__main__":
    run_main(main)

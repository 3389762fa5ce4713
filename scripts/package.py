"""package: the dataset folder of the whole snapshot, and beside it pages about it for people.

Reads what all repositories yielded, writes tasks, records, funnel, datasheet, the export in the released schema and
checksums (TEB-D01 to D06, X16). Refuses to write a dataset whose funnel does not close.
"""

import sys
from collections.abc import Callable, Sequence
from itertools import chain
from pathlib import Path
from typing import TypeVar

from testevo.analysis.reporting.snapshot_sections import report_pages
from testevo.config.load import rules_for
from testevo.config.model import Config
from testevo.config.resolved import read_resolved
from testevo.config.snapshot.layout import Layout, RepositoryFiles
from testevo.config.snapshot.predecessor import tools_of_runs
from testevo.config.snapshot.stage_failures import failures_of
from testevo.grading.mutation.mutant_archive import read_collection
from testevo.labels.reasons.funnel import build_funnel
from testevo.labels.usability import unusable_reason
from testevo.packaging.dataset.confusion_page import compare_worlds, confusion_page, mined_worlds
from testevo.packaging.dataset.dataset_folder import archive_name, bundle_name
from testevo.packaging.dataset.inherited_licences import with_inherited_licences
from testevo.packaging.dataset.provenance import tool_versions, with_earlier_versions
from testevo.packaging.dataset.served import served
from testevo.packaging.dataset_writer import Content, Snapshot, sheet_of, snapshot_description, write_dataset
from testevo.records.base import Record, RecordFile, read_records
from testevo.records.changes import CommitPair
from testevo.records.evidence.certificates import Certificate
from testevo.records.evidence.mutants import Mutant
from testevo.records.executions import Execution
from testevo.records.labels import Label
from testevo.records.repository import Commit, Repository, SourceKind, slug_of
from testevo.records.snapshots.search import FoundRepository
from testevo.records.tasks import Task
from testevo.records.verdicts import BuildOutcome, BuildVerdict, SuiteVerdict
from testevo.runtime.files.files import write_atomically
from testevo.runtime.processes.handler import run_main
from testevo.runtime.processes.job import snapshot_parser

R = TypeVar("R", bound=Record)


def main() -> None:
    parser = snapshot_parser(__doc__)
    parser.add_argument("--repositories", type=Path, required=True, help="the candidates")
    parser.add_argument("--found", type=Path, required=True, help="all that the search of GitHub found")
    parser.add_argument("--checksums", type=Path, required=True, help="of the dataset, written into its folder")
    parser.add_argument(
        "--funnel", type=Path, required=True, help="page of the funnel; the others are written beside it"
    )
    options = parser.parse_args()
    config = read_resolved(options.config)
    layout = Layout.of(config)
    candidates = read_records(options.repositories, Repository)
    searched = read_records(options.found, FoundRepository)
    snapshot = snapshot_of(config, [layout.of_repository(one.slug) for one in candidates], searched)
    for one in snapshot.failures:
        print(f"without {one.repository}: {one.stage} failed with {one.error}: {one.reason}", file=sys.stderr)
    write_dataset(options.checksums.parent, snapshot)
    pages = report_pages(snapshot_description(snapshot), snapshot.funnel, sheet_of(snapshot), snapshot.confusion)
    for name, page in pages.items():
        write_atomically(options.funnel.parent / name, page)


def snapshot_of(config: Config, known: Sequence[RepositoryFiles], searched: Sequence[FoundRepository]) -> Snapshot:
    """The mined records; of repositories that made a stage fail, only their own record and the failure."""
    failures = failures_of(known)
    failed = {one.repository for one in failures}
    all_files = [files for files in known if files.slug not in map(slug_of, failed)]
    repositories = every(known, lambda files: files.repository, Repository)
    labels = {files.slug: RecordFile(files.labels, Label) for files in all_files}
    tasks = every(all_files, lambda files: files.measured, Task)
    commits = every(all_files, lambda files: files.commits, Commit)
    builds = every(all_files, lambda files: files.builds, BuildVerdict)
    suites = every(all_files, lambda files: files.suites, SuiteVerdict)
    unbroken = [one for one in repositories if one.name not in failed]
    embedded = [one.slug for one in unbroken if one.source is SourceKind.WORLDS]
    tools = tool_versions(config.build.java_homes, {one.jdk for one in builds if one.jdk is not None})
    worlds = mined_worlds(unbroken, commits, builds, suites, [one for slug in embedded for one in labels[slug]], tasks)
    return Snapshot(
        config=config,
        repositories=with_inherited_licences(repositories, commits, builds),
        labels=labels,
        executions={files.slug: RecordFile(files.executions, Execution) for files in all_files},
        tasks=tasks,
        funnel=build_funnel(
            searched=searched,
            repositories=repositories,
            commits=commits,
            builds=builds,
            suites=suites,
            unusable=unusable(config, repositories, builds, suites),
            pairs=every(all_files, lambda files: files.pairs, CommitPair),
            labels=chain.from_iterable(labels.values()),
            tasks=tasks,
            failures=failures,
        ),
        provenance=with_earlier_versions(tools, tools_of_runs(Layout.of(config))),
        confusion=confusion_page(compare_worlds(worlds, config), config.preset) if worlds else None,
        mutants=every(all_files, lambda files: files.mutants, Mutant),
        served=served(builds, every(all_files, lambda files: files.certificates, Certificate)),
        failures=failures,
        files={name: content for files in all_files for name, content in grading_files(files).items()},
    )


def grading_files(files: RepositoryFiles) -> dict[str, Content]:
    """The files beside the records that grading the tasks of a repository reads."""
    if not files.task_history.stat().st_size:
        return {}
    archives = {archive_name(task_id): one for task_id, one in read_collection(files.mutant_archives).items()}
    return {bundle_name(files.slug): files.task_history, **archives}


def every(all_files: Sequence[RepositoryFiles], path_of: Callable[[RepositoryFiles], Path], kind: type[R]) -> list[R]:
    """The records of one kind of all repositories."""
    return [record for files in all_files for record in read_records(path_of(files), kind)]


def unusable(
    config: Config, repositories: Sequence[Repository], builds: Sequence[BuildVerdict], suites: Sequence[SuiteVerdict]
) -> list[str | None]:
    """Per built commit: why its suite makes it no end of a pair."""
    sources = {repository.name: repository.source for repository in repositories}
    suite_of = {(suite.repository, suite.revision): suite for suite in suites}
    return [
        unusable_reason(
            build, suite_of[build.repository, build.revision], rules_for(config, sources[build.repository]).pairs
        )
        for build in builds
        if build.outcome is BuildOutcome.BUILT
    ]


if __name__ == "__main__":
    run_main(main)

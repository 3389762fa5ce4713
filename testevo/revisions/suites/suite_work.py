"""Work of the stage build_check on suites: their inputs at a revision, and the jobs of `suite_selection`."""

from collections import defaultdict
from collections.abc import Mapping

from testevo.builds.compilation.project_classes import ProjectClasses, ProjectClassReader
from testevo.builds.engine import BuiltTree
from testevo.builds.engines.direct_engine import DirectEngine
from testevo.execution.discovery.suite_inputs import CheckoutFiles, dynamically_loaded, suite_inputs
from testevo.execution.runner import SuiteRun
from testevo.execution.runners.by_tree import RunnerByTree
from testevo.execution.verdicts.suites import judge_runs
from testevo.records.verdicts import SuiteVerdict
from testevo.revisions.suites.suite_selection import CommitSuite, SuiteJob, SuiteJobResult
from testevo.revisions.workspace import Workspace


def commit_suite(workspace: Workspace, revision: str) -> CommitSuite:
    """The suite of a revision that builds, with the inputs of its test classes where selection is possible."""
    tree = workspace.built(revision)
    inputs: dict[str, dict[str, str]] | None = None
    classes: dict[str, str] = {}
    if _can_select(workspace, tree):
        inputs = {}
        roots = [root for module in tree.modules for root in (*module.production_roots, *module.test_roots)]
        files = CheckoutFiles.of(workspace.git.modes_and_blobs(revision), roots)
        for path, found in _project_classes(workspace, tree).items():
            module = tree.module(path)
            assert module is not None
            inputs[path] = suite_inputs(tree, module, found, files, workspace.runner.key)
            classes = {name: one.digest[:_DIGITS] for name, one in found.classes.items()} | classes
    return CommitSuite(repository=workspace.repository.name, revision=revision, inputs=inputs, classes=classes)


def run_job(workspace: Workspace, job: SuiteJob) -> SuiteJobResult:
    """Run what a job asks for."""
    tree = workspace.built(job.revision)
    runner = workspace.runner
    if job.classes is None:
        return SuiteJobResult(job=job, verdict=_verdict(workspace, job, runner.run_suite(tree)))
    assert isinstance(runner, RunnerByTree), "only the launcher runs parts of suites"
    runs = runner.launcher.run_classes(tree, job.by_module(), watch_loading=True)
    verdict = _verdict(workspace, job, judge_runs(runs, workspace.overrides.tolerated_tests))
    classes = _project_classes(workspace, tree)
    loaded: dict[str, set[str]] = defaultdict(set)
    for run in runs:
        loaded[run.module].update(dynamically_loaded(run, classes[run.module]))
    found = {module: tuple(sorted(names)) for module, names in loaded.items()}
    watched = all(run.loaded is not None and run.loaded.issuperset(run.classes) for run in runs)
    return SuiteJobResult(job=job, verdict=verdict, dynamically_loaded=found, watched=watched)


_DIGITS = 16
"""Of the digests of single classes: enough to tell the versions of one class apart."""


def _can_select(workspace: Workspace, tree: BuiltTree) -> bool:
    """Trees that Maven built have unlisted files beside the sources; handmade trees have no keys; Surefire runs a suite
    as a whole."""
    wanted = workspace.config.execution.selection and isinstance(workspace.runner, RunnerByTree)
    keyed = all(len(module.class_path_keys) == len(module.class_path) for module in tree.modules)
    direct = isinstance(workspace.engine, DirectEngine) and tree.engine == workspace.engine.name
    return wanted and direct and keyed and not tree.surefire


def _project_classes(workspace: Workspace, tree: BuiltTree) -> Mapping[str, ProjectClasses]:
    """By path, those of the modules with tests."""
    engine = workspace.engine
    assert isinstance(engine, DirectEngine)
    reader = ProjectClassReader(engine.context.cache / "references")
    tested = [module for module in tree.modules if module.framework != "none"]
    return {module.path: reader.read(module, lambda: engine.worker(tree.jdk)) for module in tested}


def _verdict(workspace: Workspace, job: SuiteJob, run: SuiteRun) -> SuiteVerdict:
    return SuiteVerdict(
        repository=workspace.repository.name,
        revision=job.revision,
        outcome=run.outcome,
        reason=run.reason,
        tests=run.tests,
    )

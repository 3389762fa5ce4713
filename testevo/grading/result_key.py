"""The key of a grade: everything that can change it, and nothing else."""

import hashlib
from functools import cache
from importlib.metadata import version
from pathlib import Path

import testevo
from testevo.builds.project.jdks import find_jdks
from testevo.builds.project.settings import maven_version
from testevo.grading.coverage.coverage_service import JACOCO
from testevo.records.tasks import Task
from testevo.revisions.workspace import Workspace
from testevo.runtime.files.files import canonical_json, content_key

_ABOVE = {"agents", "analysis", "cli", "deployment", "site"}
"""Rooms that grading may not import, so that no grade depends on them."""

_OF_TASK = {
    "track",
    "module",
    "test_file",
    "old_test_file",
    "java_level",
    "jdk",
    "fingerprint",
    "surefire",
    "encoding",
    "old_encoding",
}
_OF_TEST = {"test", "dependencies", "old_source", "new_span", "outcomes"}


class ResultKeys:
    """Makes keys for the tasks of one workspace.

    Left out: the name and the costs of the system, what the developer's test reached, and why a task is quarantined.
    """

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        config = workspace.config
        settings = {
            "build": config.build.model_dump(mode="json", include={"engine", "level_override"}),
            "overrides": workspace.overrides.model_dump(mode="json"),
            "build_seconds": config.evaluation.build_seconds,
            "coverage": config.evaluation.coverage,
            "mutation": config.evaluation.mutation.model_dump(mode="json"),
        }
        self._settings = canonical_json(settings)
        self._jdks = find_jdks(config.build.java_homes)

    def key(self, task: Task, content: bytes | None, mutants: str | None = None) -> str:
        """The key of one edit of one task.

        Args:
            content: of the edited test file; None when there is nothing to run.
            mutants: key of the mutants that are run; None when none are.
        """
        git = self._workspace.git
        of_task = task.model_dump(mode="json", include=_OF_TASK)
        of_tests = [evidence.model_dump(mode="json", include=_OF_TEST) for evidence in task.tests]
        jdks = sorted(jdk.version for jdk in self._jdks if jdk.feature == task.jdk)
        tools = [f"testevo {grading_code_digest()}", f"jacoco {JACOCO}", f"maven {maven_version()}"]
        if mutants is not None:
            tools += [f"universalmutator {version('universalmutator')}", mutants]
        return content_key(
            *tools,
            self._workspace.engine.name,
            self._workspace.runner.key,
            *jdks,
            self._settings,
            canonical_json(of_task),
            canonical_json(of_tests),
            git.tree_id(task.old_revision),
            git.tree_id(task.new_revision),
            edit_digest(content) or "nothing",
        )


@cache
def grading_code_digest() -> str:
    """SHA-256 (hex) of the source files that grading can run, so that no grade outlives the code that gave it."""
    package = Path(testevo.__file__).parent
    files = [path.relative_to(package) for path in package.rglob("*.py")]
    digest = hashlib.sha256()
    for file in sorted(file for file in files if file.parts[0] not in _ABOVE):
        digest.update(f"{file.as_posix()} {hashlib.sha256((package / file).read_bytes()).hexdigest()}\n".encode())
    return digest.hexdigest()


def edit_digest(content: bytes | None) -> str | None:
    """SHA-256 (hex) of the edited test file."""
    return None if content is None else hashlib.sha256(content).hexdigest()

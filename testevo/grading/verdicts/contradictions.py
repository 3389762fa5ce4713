"""A pass on old code that cannot be: the test names a class that the old code does not have.

It happens when a tree holds class files of another revision. The harness is at fault then, never the candidate.
"""

import re

from testevo.builds.engine import BuiltTree
from testevo.execution.discovery.class_files import ClassPath
from testevo.records.labels import Dependency
from testevo.records.methods import ChangeKind
from testevo.records.tasks import Task, TestEvidence
from testevo.revisions.workspace import Workspace

IMPOSSIBLE = "impossible outcome: "
"""Begins the reason of such a failure of the harness; `testevo.grading.verdicts.invariants` reports it."""


def contradiction(workspace: Workspace, task: Task, evidence: TestEvidence, text: str, tree: BuiltTree) -> str | None:
    """Why a pass of a test on the old code is impossible, or None.

    It is when all dependencies are inserted in classes that no file of the old revision declares and no jar holds, and
    the test method names one of these classes. A test that names none may well pass on both.

    Args:
        text: the candidate's test method.
        tree: the old tree it passed in.
    """
    added = [dependency for dependency in evidence.dependencies if dependency.kind is ChangeKind.INSERTED]
    if not added or len(added) < len(evidence.dependencies):
        return None
    paths = workspace.git.java_blobs(task.old_revision)
    module = tree.module(evidence.test.module)
    jars = ClassPath([entry for entry in module.class_path if entry.is_file()]) if module else ClassPath([])
    for dependency in added:
        outermost = dependency.method.type_name.split("$")[0]
        declared = any(path.endswith(f"{outermost.replace('.', '/')}.java") for path in paths)
        if not declared and jars.find(outermost) is None and _names(text, dependency):
            return (
                f"{IMPOSSIBLE}{evidence.test.short} passes on the old code, which has no {outermost}, although it uses "
                f"it: the tree of {task.old_revision[:7]} is not clean"
            )
    return None


def _names(text: str, dependency: Dependency) -> bool:
    simple = dependency.method.type_name.split("$")[0].rpartition(".")[2]
    code = re.sub(r'"(?:\\.|[^"\\])*"|//[^\n]*|/\*.*?\*/', " ", text, flags=re.DOTALL)
    return re.search(rf"\bnew\s+{re.escape(simple)}\b|\b{re.escape(simple)}\s*\.\s*\w", code) is not None

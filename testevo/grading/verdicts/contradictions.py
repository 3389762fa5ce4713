"""A pass on old code that says nothing: the old tree holds class files of another revision.

The harness is at fault then, never the candidate.
"""

from testevo.builds.engine import BuiltTree
from testevo.grading.verdicts.impossible import IMPOSSIBLE
from testevo.records.methods import ChangeKind
from testevo.records.tasks import Task, TestEvidence
from testevo.revisions.workspace import Workspace


def contradiction(workspace: Workspace, task: Task, evidence: TestEvidence, tree: BuiltTree) -> str | None:
    """Why a pass of a test on the old code is impossible, or None.

    It is when all dependencies are inserted in classes that no file of the old revision declares, and the production
    classes of the tree hold one of them. Names in the test decide nothing: a class of its own may have an equal one.

    Args:
        tree: the old tree it passed in.
    """
    added = [dependency for dependency in evidence.dependencies if dependency.kind is ChangeKind.INSERTED]
    if not added or len(added) < len(evidence.dependencies):
        return None
    paths = workspace.git.java_blobs(task.old_revision)
    for dependency in added:
        outermost = dependency.method.type_name.split("$")[0]
        file = outermost.replace(".", "/")
        declared = any(path.endswith(f"{file}.java") for path in paths)
        if not declared and any((module.production_classes / f"{file}.class").is_file() for module in tree.modules):
            return (
                f"{IMPOSSIBLE}{evidence.test.short} passes on the old code, whose class files hold {outermost}, which "
                f"no file of {task.old_revision[:7]} declares: that tree is not clean"
            )
    return None

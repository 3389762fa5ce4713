"""The two trees a candidate is run in: the new revision and the old one, each with the edited test file (TEB-E01)."""

from collections.abc import Mapping

from testevo.builds.engine import BuildResult, BuiltTree
from testevo.execution.variants import place_of_moved
from testevo.grading.verdicts.contradictions import contradiction
from testevo.grading.verdicts.repeats import repeated
from testevo.java.encodings import USUAL, UnwritableError, is_same, rewritten
from testevo.records.methods import TestKey
from testevo.records.tasks import Task, TestEvidence
from testevo.records.verdicts import BuildOutcome
from testevo.revisions.workspace import Workspace


class InfrastructureError(Exception):
    """The harness, not the candidate, failed; the message says why. Ends the grading of one task."""


class CandidateTrees:
    """Builds both trees of one edit, each at most once.

    On the new code the edit stands at the target's path in place of the developer's file. On the old code, which is
    the old revision as it was and nothing of the new one, it replaces the old file, where that one lies: the module of
    the new file may not be there (`testevo.execution.variants.place_of_moved`).
    """

    def __init__(self, workspace: Workspace, task: Task, content: bytes, gold: bytes) -> None:
        self._workspace = workspace
        self._task = task
        self._content = content
        self._gold = gold
        self._new: BuildResult | None = None
        self._old: BuildResult | None = None

    @property
    def new(self) -> BuildResult:
        """The new revision with the edit.

        Raises:
            InfrastructureError: the new revision itself does not build.
            UnwritableError: the edit cannot be written as the build of the new revision reads it.
        """
        if self._new is None:
            path = self._task.test_file
            written = self._written(self.base, path, path, self._task.encoding)
            edit = {} if self._content == self._gold else {path: written}
            self._new = self._variant(self.base, edit)
        return self._new

    @property
    def base(self) -> BuiltTree:
        """The new revision as the developer left it.

        Raises:
            InfrastructureError: it does not build, or not with the JDK that the task was proven with.
        """
        tree, made_with = self._base(self._task.new_revision), self._task.jdk
        if tree.jdk.feature != made_with:
            raise InfrastructureError(
                f"the task was proven with JDK {made_with} and would be graded with JDK {tree.jdk.feature}; "
                f"install JDK {made_with}, or name its folder in build.java_homes"
            )
        return tree

    @property
    def old(self) -> BuildResult:
        """The old revision with the edit.

        Raises:
            InfrastructureError: the old revision itself does not build.
            UnwritableError: the edit cannot be written as the build of the old revision reads it.
        """
        if self._old is None:
            task = self._task
            base = self._base(task.old_revision)
            developers = task.old_test_file or task.test_file
            changed: dict[str, bytes | None] = {developers: None}
            changed[self.old_path] = self._written(base, self.old_path, developers, task.old_encoding)
            self._old = self._variant(base, changed)
        return self._old

    @property
    def old_path(self) -> str:
        """Where the edit stands on the old code."""
        return place_of_moved(self._task.test_file, self._task.old_test_file or self._task.test_file)

    def at_old(self, test: TestKey) -> TestKey:
        """How a test of the edit is called on the old code.

        Raises:
            InfrastructureError: see `old`.
        """
        tree = self.old.tree
        return test if tree is None else at_path(test, self._task, self.old_path, tree)

    @property
    def needs_surefire(self) -> bool:
        """Whether only Surefire runs the tests of the task at the new revision; False while it was not asked for."""
        tree = self._new.tree if self._new is not None else None
        return tree is not None and self._task.module in tree.surefire

    def require_clean(self, evidence: TestEvidence) -> None:
        """Check a pass on the old code.

        Raises:
            InfrastructureError: it cannot be.
        """
        tree = self.old.tree
        reason = contradiction(self._workspace, self._task, evidence, tree) if tree is not None else None
        if reason is not None:
            raise InfrastructureError(reason)

    def _base(self, revision: str) -> BuiltTree:
        result = self._workspace.build(revision)
        if result.tree is None:
            raise InfrastructureError(f"revision {revision[:7]} does not build here: {result.reason}")
        return result.tree

    def _written(self, base: BuiltTree, path: str, developers: str, recorded: str | None) -> bytes:
        """The edit in the encoding in which a revision is compiled.

        Args:
            path: where it is put.
            developers: the test file of that revision.
            recorded: its encoding, as the task says.

        Raises:
            InfrastructureError: the two differ, so that nobody knows what the files of the task say.
            UnwritableError: a character of the edit has no form in it.
        """
        revision = base.checkout.revision[:7]
        found = base.encoding_of(developers) or USUAL
        if not self._gold.isascii() and not is_same(found, recorded or USUAL):
            raise InfrastructureError(
                f"revision {revision} compiles {developers} as {found}, and its task says {recorded or USUAL}; "
                f"package the dataset again"
            )
        try:
            return rewritten(self._content, self._task.compiled_as, base.encoding_of(path) or USUAL)
        except UnwritableError as error:
            raise UnwritableError(
                f"{path} cannot be put into revision {revision}: {error}; write Unicode escapes"
            ) from error

    def _variant(self, base: BuiltTree, changed: Mapping[str, bytes | None]) -> BuildResult:
        """The base with the edit.

        Raises:
            InfrastructureError: what the build needs is not there, and the base without the edit lacks it, too.
        """
        if not changed:
            return BuildResult(outcome=BuildOutcome.BUILT, tree=base)
        result = self._built(base, changed)
        if result.outcome is BuildOutcome.DEPENDENCY_UNAVAILABLE:
            unchanged = self._built(base, {path: self._read(base, path) for path in changed})
            if unchanged.outcome is BuildOutcome.DEPENDENCY_UNAVAILABLE:
                raise InfrastructureError(f"{unchanged.outcome.value}: {unchanged.reason}")
        return result

    def _built(self, base: BuiltTree, changed: Mapping[str, bytes | None]) -> BuildResult:
        seconds = self._workspace.config.evaluation.build_seconds
        return repeated(
            lambda: self._workspace.engine.build_variant(base, changed, seconds),
            lambda built: built.outcome is BuildOutcome.TIMED_OUT or built.outcome.possible_fault is None,
        )

    def _read(self, base: BuiltTree, path: str) -> bytes | None:
        return self._workspace.git.read(base.checkout.revision, path)


def at_path(test: TestKey, task: Task, path: str, tree: BuiltTree) -> TestKey:
    """How a test of a task is called in a tree that has the task's file at `path`."""
    inherits = test.path != task.test_file and tree.module(test.module) is not None
    if path == task.test_file or inherits:
        return test
    modules = [one.path for one in tree.modules if not one.path or path.startswith(f"{one.path}/")]
    return test.model_copy(update={"path": path, "module": max(modules, key=len, default="")})

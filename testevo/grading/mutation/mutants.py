"""The mutants of a task: made once from the new revision, shared by its test methods (TEB-V13 to V17, K09).

Generate by file, compile all in one warm compiler, sample for each test method what compiled, keep the class files of
the samples. What was left out is counted: emitted = count + compile_failed + redundant + capped_out.
"""

import contextlib
import hashlib
import tempfile
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from testevo.builds.compilation.worker import Worker
from testevo.builds.engine import BuiltTree
from testevo.builds.engines.direct_engine import DirectEngine
from testevo.builds.engines.file_compilation import file_compilation
from testevo.config.model import Mutation
from testevo.grading.mutation.mutant_compilation import CompiledFile, compile_mutants
from testevo.grading.mutation.mutant_generation import Candidate, Generated, generate
from testevo.grading.mutation.mutation_lines import MutationLines
from testevo.records.evidence.mutants import Mutant, MutantAccounting
from testevo.records.methods import TestKey
from testevo.records.tasks import Task
from testevo.revisions.workspace import Workspace
from testevo.runtime.files.files import content_key

NAME_CHARACTERS = 16

Classes = Mapping[str, Mapping[str, bytes]]
"""Name of a mutant → binary name → bytes of the changed class file, empty for a class that the mutant lacks."""


@dataclass(frozen=True)
class TaskMutants:
    """The mutants of one task. All mappings have one entry per test method of the task, in its order."""

    mutants: tuple[Mutant, ...]
    """Sorted as in a file of records."""
    kill_sets: Mapping[TestKey, tuple[str, ...]]
    accounting: Mapping[TestKey, tuple[MutantAccounting, ...]]
    classes: Classes
    problems: tuple[str, ...] = ()
    """Files that could not be mutated, each with the reason; their test methods have no mutants of them."""


def make_mutants(task: Task, workspace: Workspace, rules: Mutation | None = None) -> TaskMutants:
    """Generate, compile and sample the mutants of a task.

    Args:
        workspace: of the task's repository; its warm compiler is used.
        rules: the section `evaluation.mutation` of the workspace's configuration when not given.

    Raises:
        UserError: the new revision builds no more.
    """
    rules = rules or workspace.config.evaluation.mutation
    tree = workspace.built(task.new_revision)
    if (reason := tree.surefire.get(task.module)) is not None:
        tests = [evidence.test for evidence in task.tests]
        said = f"{reason}: only Surefire runs these tests as Maven does, and it runs no mutants"
        return TaskMutants((), dict.fromkeys(tests, ()), dict.fromkeys(tests, ()), {}, (said,))
    with contextlib.ExitStack() as ending:
        engine = workspace.engine
        known = engine.worker(tree.jdk) if isinstance(engine, DirectEngine) else None
        return _made(task, workspace, tree, rules, known or ending.enter_context(Worker(tree.jdk.home)))


def _made(task: Task, workspace: Workspace, tree: BuiltTree, rules: Mutation, worker: Worker) -> TaskMutants:
    lines = MutationLines(task, workspace, rules.lines)
    wanted = {evidence.test: lines.of(evidence.dependencies) for evidence in task.tests}
    files: dict[str, _File] = {}
    problems = []
    with tempfile.TemporaryDirectory(prefix="testevo-mutants-") as scratch:
        for number, path in enumerate(sorted({path for by_path in wanted.values() for path in by_path})):
            union = frozenset().union(*(by_path.get(path, frozenset()) for by_path in wanted.values()))
            source = lines.sources[path]
            compilation = file_compilation(workspace.engine, tree, path)
            if compilation is None:
                problems.append(f"{path} is not a production file of the build")
                continue
            generated = generate(source, union)
            place = tree.checkout.folder / path
            compiled = compile_mutants(
                worker, compilation, place, source, generated.candidates, Path(scratch, str(number))
            )
            if compiled.problem is not None:
                problems.append(f"{path} does not compile alone: {compiled.problem}")
            files[path] = _File(path, source, generated, compiled)
        return _assembled(task, wanted, files, rules, tuple(problems))


@dataclass(frozen=True)
class _File:
    path: str
    source: bytes
    generated: Generated
    compiled: CompiledFile

    def name(self, candidate: Candidate) -> str:
        place = (str(candidate.line), str(candidate.start), str(candidate.end))
        return content_key(self.path, content_key(self.source), *place, candidate.text)[:NAME_CHARACTERS]

    def code(self, candidate: Candidate) -> str:
        """Equal for mutants of the file with equal byte code."""
        return self.compiled.versions[candidate].digest or ""

    def is_equivalent(self, candidate: Candidate) -> bool:
        return self.code(candidate) == self.compiled.original


def _assembled(
    task: Task,
    wanted: Mapping[TestKey, Mapping[str, frozenset[int]]],
    files: Mapping[str, _File],
    rules: Mutation,
    problems: tuple[str, ...],
) -> TaskMutants:
    kill_sets: dict[TestKey, tuple[str, ...]] = {}
    accounting: dict[TestKey, tuple[MutantAccounting, ...]] = {}
    chosen: dict[str, set[Candidate]] = {path: set() for path in files}
    for test, by_path in wanted.items():
        names: list[str] = []
        accounts = []
        for path, lines in by_path.items():
            if path not in files:
                continue
            kept, account = _sampled(files[path], lines, rules)
            chosen[path].update(kept)
            names += [files[path].name(candidate) for candidate in kept]
            accounts.append(account)
        kill_sets[test], accounting[test] = tuple(names), tuple(accounts)
    mutants: list[Mutant] = []
    classes: dict[str, Mapping[str, bytes]] = {}
    for path, candidates in chosen.items():
        for mutant, files_of in _mutants(task, files[path], sorted(candidates)):
            mutants.append(mutant)
            classes[mutant.mutant] = files_of
    mutants.sort(key=Mutant.sort_key)
    return TaskMutants(tuple(mutants), kill_sets, accounting, classes, problems)


def _sampled(file: _File, lines: frozenset[int], rules: Mutation) -> tuple[list[Candidate], MutantAccounting]:
    """The kill set of one test method in one file, and what became of all the rest (TEB-V16)."""
    mine = [candidate for candidate in file.generated.candidates if candidate.line in lines]
    valid = [candidate for candidate in mine if file.compiled.compiles(candidate)]
    kept = sample(valid, file.path, most=rules.per_file, seed=rules.seed)
    redundant = _count(file.generated.redundant, lines)
    code = Counter(file.code(candidate) for candidate in kept if not file.is_equivalent(candidate))
    account = MutantAccounting(
        path=file.path,
        lines=tuple(sorted(lines)),
        emitted=len(mine) + redundant,
        compile_failed=len(mine) - len(valid),
        redundant=redundant,
        capped_out=len(valid) - len(kept),
        count=len(kept),
        duplicate_text=_count(file.generated.duplicate_text, lines),
        string_only=_count(file.generated.string_only, lines),
        equivalent=sum(file.is_equivalent(candidate) for candidate in kept),
        duplicate_code=sum(times - 1 for times in code.values()),
    )
    if not account.closes:
        raise AssertionError(f"the accounting of mutants of {file.path} does not close: {account}")
    return kept, account


def _count(found: Iterable[int], lines: frozenset[int]) -> int:
    return sum(line in lines for line in found)


def _mutants(task: Task, file: _File, candidates: Sequence[Candidate]) -> Iterable[tuple[Mutant, Mapping[str, bytes]]]:
    """Records and class files; of mutants with equal byte code the first one stands for the others."""
    first: dict[str, str] = {}
    for candidate in candidates:
        name, code = file.name(candidate), file.code(candidate)
        classes = file.compiled.classes(candidate)
        equivalent = file.is_equivalent(candidate)
        duplicate_of = None if equivalent else first.setdefault(code, name)
        yield (
            Mutant(
                task_id=task.task_id,
                mutant=name,
                path=file.path,
                first_line=candidate.line,
                original=candidate.original,
                mutated=candidate.mutated,
                classes={name: hashlib.sha256(code).hexdigest() for name, code in sorted(classes.items())},
                equivalent=equivalent,
                duplicate_of=None if duplicate_of == name else duplicate_of,
            ),
            classes,
        )


def sample(candidates: Iterable[Candidate], path: str, *, most: int, seed: int) -> list[Candidate]:
    """At most `most` of the valid candidates of a file, in canonical order.

    Every candidate has a rank drawn from the seed, the path, its line, the place in it and its text; the lowest ranks
    are taken. So each candidate is as likely as any other, test methods that share lines tend to share mutants, and
    one more or less candidate changes the sample by one at most.
    """
    ranked = sorted((_rank(candidate, path, seed), candidate) for candidate in candidates)
    return sorted(candidate for _, candidate in ranked[:most])


def _rank(candidate: Candidate, path: str, seed: int) -> str:
    return content_key(str(seed), path, str(candidate.line), str(candidate.column), candidate.text)

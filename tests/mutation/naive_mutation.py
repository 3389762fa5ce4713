"""Mutation as the paper does it, held against `testevo.grading`: slow, and obviously right (TEB-V13, V17, V18).

`mutate` with one external javac for each mutant; then, for each mutant of the kill set, one external javac more and a
fresh JVM with the console launcher of JUnit. Nothing of the in-process compiler or of our launcher is used.
"""

import os
import re
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from testevo.builds.classes.class_files import ClassPath
from testevo.builds.engine import BuiltModule, BuiltTree
from testevo.builds.engines.file_compilation import FileCompilation, file_compilation
from testevo.execution.discovery.selection import method_selector
from testevo.grading.mutation.mutant_generation import Candidate, generate, mutated_source
from testevo.grading.mutation.mutant_runs import TimeLimit
from testevo.grading.mutation.mutants import sample
from testevo.records.methods import TestKey
from testevo.records.tasks import Task
from testevo.revisions.workspace import Workspace

CONSOLE = "org.junit.platform:junit-platform-console-standalone:1.10.2"
_SUCCESSFUL = re.compile(r"\[\s*(\d+) tests successful")
_OTHERS = re.compile(r"\[\s*(\d+) tests (?:skipped|aborted|failed)")
_WRITTEN = re.compile(r"\.mutant\.\d+\.java$")


def console_launcher() -> Path:
    """The jar of the console launcher in the local Maven repository, fetched when it is not there."""
    group, artifact, version = CONSOLE.split(":")
    jar = Path.home() / ".m2/repository" / group.replace(".", "/") / artifact / version / f"{artifact}-{version}.jar"
    if not jar.is_file():
        subprocess.run(["mvn", "-q", "-B", "dependency:get", f"-Dartifact={CONSOLE}", "-Dtransitive=false"], check=True)
    return jar


@dataclass
class NaiveMutation:
    """The mutants of one task and their runs, with the seconds each step takes."""

    task: Task
    workspace: Workspace
    scratch: Path
    limit: TimeLimit
    seconds: dict[str, float] = field(default_factory=lambda: {"generate": 0.0, "run": 0.0})
    _baselines: dict[TestKey, float] = field(default_factory=dict)

    @property
    def tree(self) -> BuiltTree:
        return self.workspace.built(self.task.new_revision)

    def valid(self, path: str, source: bytes, lines: frozenset[int]) -> list[Candidate]:
        """What `mutate` writes for some lines of a file: its VALID mutants, as the candidates they are equal to."""
        before = time.monotonic()
        folder = self.scratch / f"mutate-{len(list(self.scratch.iterdir()))}"
        folder.mkdir()
        file, written = folder / Path(path).name, folder / "mutants"
        file.write_bytes(source)
        (folder / "lines").write_text("\n".join(map(str, sorted(lines))))
        command = [
            sys.executable,
            "-X",
            "utf8",
            "-c",
            "from universalmutator.genmutants import main; main()",
            file.name,
            "--noFastCheck",
            "--lines",
            "lines",
            "--mutantDir",
            "mutants",
            "--cmd",
            self._javac(path, folder / "classes", file),
        ]
        subprocess.run(command, cwd=folder, check=True, capture_output=True)
        self.seconds["generate"] += time.monotonic() - before
        known = {_plain(mutated_source(source, one)): one for one in generate(source, lines).candidates}
        return sorted(known[_plain(one.read_bytes())] for one in written.iterdir() if _WRITTEN.search(one.name))

    def killed(self, test: TestKey, path: str, source: bytes, candidates: Sequence[Candidate]) -> dict[Candidate, bool]:
        """Whether the test does not pass on each mutant."""
        before = time.monotonic()
        found = {}
        for number, candidate in enumerate(candidates):
            folder = self.scratch / f"run-{len(list(self.scratch.iterdir()))}-{number}"
            folder.mkdir()
            file = folder / Path(path).name
            file.write_bytes(mutated_source(source, candidate))
            subprocess.run(self._javac(path, folder / "classes", file), shell=True, check=True, capture_output=True)
            found[candidate] = not self.passes(test, folder / "classes")
        self.seconds["run"] += time.monotonic() - before
        return found

    def passes(self, test: TestKey, classes: Path | None = None) -> bool:
        """Whether the test passes in a fresh JVM, `classes` before all others."""
        module = self.tree.module(test.module)
        assert module is not None
        seconds = self.limit.most_seconds if classes is None else self.limit.seconds(self._baseline(test))
        try:
            done = subprocess.run(
                self._java(module, test, classes),
                cwd=module.folder,
                capture_output=True,
                timeout=seconds,
                check=False,
                text=True,
                errors="replace",
            )
        except subprocess.TimeoutExpired:
            return False
        successful = sum(map(int, _SUCCESSFUL.findall(done.stdout)))
        return done.returncode == 0 and successful > 0 and not sum(map(int, _OTHERS.findall(done.stdout)))

    def _baseline(self, test: TestKey) -> float:
        if test not in self._baselines:
            before = time.monotonic()
            assert self.passes(test), f"{test} does not pass on the console launcher"
            self._baselines[test] = time.monotonic() - before
        return self._baselines[test]

    def _java(self, module: BuiltModule, test: TestKey, classes: Path | None) -> list[str]:
        selector = method_selector(test, ClassPath(module.test_class_path))
        entries = [*([classes] if classes else []), *module.class_path]
        return [
            str(self.tree.jdk.home / "bin" / "java"),
            "-ea",
            "-Duser.timezone=UTC",
            "-Duser.language=en",
            "-Dfile.encoding=UTF-8",
            f"-Dbasedir={module.folder}",
            *module.jvm_arguments,
            "-jar",
            str(console_launcher()),
            "execute",
            "--select-method",
            selector,
            "--class-path",
            os.pathsep.join(map(str, entries)),
            "--fail-if-no-tests",
            "--details",
            "summary",
            "--disable-banner",
            "--disable-ansi-colors",
        ]

    def _javac(self, path: str, output: Path, file: Path) -> str:
        compilation = file_compilation(self.workspace.engine, self.tree, path)
        assert isinstance(compilation, FileCompilation)
        output.mkdir(parents=True, exist_ok=True)
        class_path = os.pathsep.join(map(str, compilation.class_path))
        words = [
            self.tree.jdk.home / "bin" / "javac",
            "-nowarn",
            *compilation.options,
            "-sourcepath",
            '""',
            "-d",
            output,
            "-cp",
            class_path,
            file,
        ]
        return " ".join(map(str, words))


def naive_fates(
    naive: NaiveMutation,
    test: TestKey,
    lines: Mapping[str, frozenset[int]],
    sources: Mapping[str, bytes],
    *,
    most: int,
    seed: int,
    known: dict[str, list[Candidate]],
    union: Mapping[str, frozenset[int]],
) -> dict[tuple[str, Candidate], bool]:
    """Killed or not, for the kill set of one test method.

    Args:
        known: keeps what `mutate` wrote for a file, for the other test methods of the task.
        union: lines of all of them, by file.
    """
    fates: dict[tuple[str, Candidate], bool] = {}
    for path, of_file in lines.items():
        if path not in known:
            known[path] = naive.valid(path, sources[path], union[path])
        chosen = sample((one for one in known[path] if one.line in of_file), path, most=most, seed=seed)
        found = naive.killed(test, path, sources[path], chosen)
        fates |= {(path, candidate): killed for candidate, killed in found.items()}
    return fates


def _plain(source: bytes) -> bytes:
    """With the line ends that `mutate` writes, which ends a mutated line in any case."""
    plain = source.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    return plain if plain.endswith(b"\n") else plain + b"\n"

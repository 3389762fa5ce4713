"""A Java program that runs tests by itself, such as PIT, as test JVMs run: same sandbox, limits and folders."""

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from testevo.builds.engine import BuiltModule, BuiltTree
from testevo.execution.jvms.environment import JvmEnvironment, environment, java_arguments
from testevo.execution.jvms.sandbox_mounts import ModuleViews
from testevo.execution.jvms.sandbox_proof import prove
from testevo.execution.runner import Limits
from testevo.runtime.files.plain_files import read_plain
from testevo.runtime.files.removal import temporary_folder
from testevo.runtime.processes.ports import says_taken, sharing_ports
from testevo.sandboxes.sandbox import Sandbox
from testevo.sandboxes.watching import ProcessLimits

MOST_BYTES = 64 * 2**20
"""An output file longer than this is a flood, and counts as missing."""


@dataclass(frozen=True)
class Place:
    """The place where a program runs."""

    module: BuiltModule
    """As the tests see it: where nothing is read-only, made of copies."""
    private: Path
    """Its own folder, and the only one it may write to beside its working folder."""
    java_arguments: tuple[str, ...]
    """Of the JVMs in which it runs tests."""


@dataclass(frozen=True)
class ProgramRun:
    """How a program ended."""

    status: int
    timed_out: bool
    stdout: bytes
    stderr: bytes
    output: bytes | None
    """The content of its output file; None when it left none."""


class JavaPrograms:
    """Runs Java programs on modules of built trees.

    What a program writes is written with the power of the tests it runs: they can forge it.

    Args:
        work: folder outside all trees for private folders of runs; they are removed after each run, copies of class
            folders and of working folders when this object goes.
    """

    def __init__(self, limits: Limits, sandbox: Sandbox, work: Path) -> None:
        self._limits = limits
        self._sandbox = sandbox
        self._work = work
        self._views = ModuleViews(sandbox, work)

    def run(
        self,
        tree: BuiltTree,
        module: BuiltModule,
        jars: Sequence[Path],
        main: str,
        arguments: Callable[[Place], Sequence[str]],
        output: str,
        *,
        seconds: float,
        readable: Sequence[Path] = (),
        is_test_jvm: bool = False,
    ) -> ProgramRun:
        """Run a program on the tree's JDK until it ends; whatever it started ends with it.

        Args:
            jars: of the program; its class path has nothing else.
            main: its main class.
            arguments: its arguments, given the place; files may be made in the private folder for it.
            output: name of its output file, relative to the private folder.
            readable: what it may read beside its jars, the tree and the JDK.
            is_test_jvm: its own JVM runs the tests, and gets their arguments.

        Raises:
            MachineError: the JDK is missing, the work folder cannot be written, or a jar was changed.
        """
        self._work.mkdir(parents=True, exist_ok=True)
        prove(self._sandbox, tree.jdk, self._work)

        def once() -> ProgramRun:
            with temporary_folder(self._work, "program-") as private, self._views.view(module, tree.replaced) as view:
                jvm_environment = JvmEnvironment.made_in(private)
                for_tests = java_arguments(view.module, self._limits, jvm_environment)
                own = java_arguments(replace(view.module, jvm_arguments=()), self._limits, jvm_environment)
                given = arguments(Place(view.module, private, tuple(for_tests)))
                java = [
                    str(tree.jdk.home / "bin" / "java"),
                    *(for_tests if is_test_jvm else own),
                    "-cp",
                    os.pathsep.join(map(str, jars)),
                    main,
                    *given,
                ]
                shown_too = (view.real.root, tree.jdk.home, *jars, *readable)
                watched = self._sandbox.run(
                    lambda _: java,
                    view.confinement(shown_too, private, self._limits),
                    environment(tree.jdk, jvm_environment, view.module.environment),
                    ProcessLimits(seconds, self._limits.output_bytes),
                )
                return ProgramRun(
                    watched.status, watched.timed_out, watched.stdout, watched.stderr, _content(private, output)
                )

        return once() if self._sandbox.has_own_network else sharing_ports(once, _found_port_taken)


def _found_port_taken(run: ProgramRun) -> bool:
    return run.status != 0 and says_taken(run.stdout, run.stderr)


def _content(private: Path, name: str) -> bytes | None:
    """The program's output; None where it is none or too long. Tests that it ran could write it, too."""
    content = read_plain(private, name, MOST_BYTES + 1)
    return content if content is not None and len(content) <= MOST_BYTES else None

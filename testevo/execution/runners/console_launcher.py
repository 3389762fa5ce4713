"""Asks the console launcher of JUnit about a test, as the harness behind the released data did (docs/fidelity.md).

The launcher and its JUnit lie on the class path of the JVM, and the project in a class loader below it. So a test fails
there that asks the system class loader for a resource, that has javac see the class path of the JVM, or that needs a
newer API of JUnit.
"""

import os
from pathlib import Path

from testevo.builds.engine import BuiltTree
from testevo.config.model import Execution
from testevo.execution.jvms.java_programs import JavaPrograms, Place
from testevo.execution.runner import Limits
from testevo.execution.runners.one_shot import module_of
from testevo.records.methods import TestKey
from testevo.runtime.files.files import content_key
from testevo.runtime.files.jars import checksums_of, pinned_jars
from testevo.sandboxes.sandboxes import sandbox_of

_PROGRAM = "console"
_MAIN = "org.junit.platform.console.ConsoleLauncher"
_PASSED = 0
_OPTIONS = ("--disable-banner", "--details=none", "--fail-if-no-tests")


class ConsoleLauncher:
    """Asks the console launcher about test methods that pass.

    Args:
        execution: the sandbox and the limits of test JVMs.
        work: folder outside all trees for private folders of runs.

    Raises:
        MachineError: the sandbox asked for is not installed, or the console launcher was not fetched.
    """

    def __init__(self, execution: Execution, work: Path) -> None:
        self._programs = JavaPrograms(Limits.of(execution), sandbox_of(execution), work)
        self._seconds = execution.method_seconds
        self._jars = pinned_jars(_PROGRAM)
        self.key = content_key(checksums_of(_PROGRAM).read_bytes().decode(), str(self._seconds))

    def passes(self, tree: BuiltTree, test: TestKey) -> bool:
        """Whether a test method passes there; overloads run together.

        Raises:
            MachineError: no JVM can be started.
        """
        module = module_of(tree, test)
        if module is None:
            return False
        done = self._programs.run(
            tree,
            module,
            self._jars,
            _MAIN,
            lambda place: [f"@{_argument_file(place, test)}"],
            "",
            seconds=self._seconds,
            is_test_jvm=True,
        )
        return not done.timed_out and done.status == _PASSED


def _argument_file(place: Place, test: TestKey) -> Path:
    """Its arguments, a line each: a class path can be longer than the system lets an argument be."""
    file = place.private / "arguments"
    class_path = os.pathsep.join(map(str, place.module.class_path))
    words = (*_OPTIONS, "--class-path", class_path, "--select-method", f"{test.type_name}#{test.name}")
    file.write_text("\n".join(words), encoding="utf-8")
    return file

"""Options of a JVM that runs the tests of a named module, as Surefire gives them.

Source: its class `ModularClasspathForkConfiguration`, in the versions 2.21.0 to 3.5.4.
"""

import os
from collections.abc import Iterator, Sequence

from testevo.builds.engine import BuiltModule, NamedModule

_EVERYBODY = "ALL-UNNAMED"
"""What is on the class path: JUnit and the launcher."""


def module_options(module: BuiltModule, named: NamedModule, selectors: Sequence[str]) -> list[str]:
    """The options that put the module and what it requires on the module path.

    Args:
        named: that of the module.
        selectors: classes and methods to run, as lines of the request; their packages are what JUnit may look into.
    """
    access = "--add-opens" if named.rules.opens else "--add-exports"
    return [
        f"--module-path={os.pathsep.join(map(str, named.module_path))}",
        f"--patch-module={named.name}={module.test_classes}",
        *(f"{access}={named.name}/{package}={_EVERYBODY}" for package in sorted(set(_packages(selectors)))),
        f"--add-reads={named.name}={_EVERYBODY}",
        f"--add-modules={'ALL-MODULE-PATH' if named.rules.all_modules else named.name}",
    ]


def _packages(selectors: Sequence[str]) -> Iterator[str]:
    for line in selectors:
        word, _, selected = line.partition(" ")
        package = selected.partition("#")[0].rpartition(".")[0]
        if word.startswith("select-") and package:
            yield package

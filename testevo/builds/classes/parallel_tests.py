"""Tests that JUnit runs in parallel because a file on the class path says so: the launcher runs one after the other.

The JUnit Platform reads the first `junit-platform.properties` of the class path. One among the resources is no part of
the key of a build model, so each revision and each edited one is asked for its own.
"""

from testevo.builds.classes.class_path_files import contents_on_class_path
from testevo.builds.engine import BuiltModule
from testevo.builds.model.parameters.platform import runs_in_parallel
from testevo.builds.model.parameters.properties_file import properties_of

FILE = "junit-platform.properties"


def why_parallel_tests(module: BuiltModule) -> str | None:
    """Why Surefire runs the tests of a module that run in parallel by such a file; None when they do not."""
    if module.framework != "platform":
        return None
    first = next(contents_on_class_path(module, FILE), b"")
    return f"{FILE} runs tests in parallel" if _may_run_in_parallel(first) else None


def _may_run_in_parallel(content: bytes) -> bool:
    entries = properties_of(content)
    if entries is None:  # an escape may hide a name
        return b"parallel" in content or b"\\" in content
    return any(runs_in_parallel(name, value) for name, value in entries.items())

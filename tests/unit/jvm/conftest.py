"""What the tests of the Java side need: a JDK and the jars that `make setup` builds."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from testevo.builds.compilation.worker import Worker
from testevo.runtime.files.jars import JARS
from tests.java_versions import JDKS


@pytest.fixture(scope="session")
def jdk_home() -> Path:
    configured = os.environ.get("JAVA_HOME")
    compiler = shutil.which("javac")
    if not configured and not compiler:
        pytest.skip("no JDK: neither JAVA_HOME nor javac")
    return Path(configured) if configured else Path(compiler or "").resolve().parents[1]


@pytest.fixture(scope="session", params=["usual", *JDKS[:1]])
def worker(request: pytest.FixtureRequest, jdk_home: Path) -> Iterator[Worker]:
    """One warm worker for all tests, and one on the oldest JDK; each test has folders of its own."""
    if not (JARS / "worker.jar").is_file():
        pytest.skip("jvm/lib/worker.jar is not built (make setup)")
    home = jdk_home if request.param == "usual" else request.param.home
    with Worker(home, memory_mb=512, seconds=120) as shared:
        yield shared

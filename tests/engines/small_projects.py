"""Small projects that tests write and build with the engine `direct`."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from testevo.builds.context import BuildContext
from testevo.builds.engine import Checkout
from testevo.builds.engines.direct_engine import DirectEngine
from testevo.builds.project.jdks import find_jdks
from testevo.builds.project.local_repository import local_repository
from testevo.execution.runner import Limits
from testevo.execution.runners.by_tree import RunnerByTree
from testevo.execution.runners.one_shot import OneShotRunner
from testevo.execution.runners.surefire import SurefireRunner
from testevo.runtime.files.project import PROJECT

REVISION = "1a2b3c4d5e"
POM = """<project><modelVersion>4.0.0</modelVersion><groupId>g</groupId><artifactId>a</artifactId><version>1</version>
<properties><maven.compiler.source>8</maven.compiler.source><maven.compiler.target>8</maven.compiler.target>
<project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>{properties}</properties>
<dependencies><dependency><groupId>org.junit.jupiter</groupId><artifactId>junit-jupiter</artifactId>
<version>5.10.2</version><scope>test</scope></dependency>{dependencies}</dependencies>
<build>{build}<plugins><plugin><artifactId>maven-compiler-plugin</artifactId><version>3.13.0</version></plugin>
<plugin><artifactId>maven-resources-plugin</artifactId><version>3.3.1</version></plugin>
<plugin><artifactId>maven-surefire-plugin</artifactId><version>3.2.5</version></plugin>{plugins}</plugins></build>
</project>"""


def pom(*, properties: str = "", dependencies: str = "", build: str = "", plugins: str = "") -> str:
    """A POM with Jupiter and the plugins that every build runs."""
    return POM.format(properties=properties, dependencies=dependencies, build=build, plugins=plugins)


def write_project(folder: Path, files: Mapping[str, str | bytes]) -> Checkout:
    """Write files; the checkout, whose key is the name of its folder."""
    for path, content in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(content.encode() if isinstance(content, str) else content)
    return Checkout("owner/repo", REVISION, folder, folder.name)


@contextmanager
def direct_engine(work: Path, cache: Path, **options: Any) -> Iterator[DirectEngine]:
    """The engine with the local repository that all tests share, which is warm after their first run.

    Args:
        work: its scratch folder.
        cache: where it keeps models and classes.
        options: of `BuildContext`.
    """
    local = local_repository(PROJECT / "results" / "cache", "worlds", None)
    engine = DirectEngine(BuildContext(local, cache, work, find_jdks(), **options))
    try:
        yield engine
    finally:
        engine.close()


def runner_by_tree(
    engine: DirectEngine, folder: Path, limits: Limits | None = None, *, surefire_may_run: bool = True
) -> RunnerByTree:
    """The launcher, and Surefire for what only it runs, in folders below `folder`."""
    limits = limits or Limits()
    launcher = OneShotRunner(folder, limits)
    surefire = SurefireRunner(launcher, limits)
    return RunnerByTree(launcher, surefire, by_maven=engine.by_maven, surefire_may_run=surefire_may_run)

"""Small built trees with hostile tests, and what is watched while they run."""

import hashlib
import os
import shutil
import subprocess
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import psutil
import pytest

from testevo.builds.engine import BuiltModule, BuiltTree, Checkout
from testevo.builds.project.jdks import Jdk
from testevo.runtime.files.jars import JARS
from testevo.sandboxes.name_spaces import NameSpaces, name_spaces_work
from testevo.sandboxes.sandbox import Bubblewrap, NoSandbox, Sandbox, bubblewrap_works
from testevo.sandboxes.sandboxes import sandbox_named

_JUPITER = "org/junit/jupiter/junit-jupiter-{0}/5.10.2/junit-jupiter-{0}-5.10.2.jar"
_PLATFORM = "org/junit/platform/junit-platform-{0}/1.10.2/junit-platform-{0}-1.10.2.jar"
_LIBRARIES = {
    "junit3": ("junit/junit/3.8.1/junit-3.8.1.jar",),
    "junit4": ("junit/junit/4.13.2/junit-4.13.2.jar", "org/hamcrest/hamcrest-core/1.3/hamcrest-core-1.3.jar"),
    "platform": (
        _JUPITER.format("api"),
        _PLATFORM.format("commons"),
        "org/opentest4j/opentest4j/1.3.0/opentest4j-1.3.0.jar",
        "org/apiguardian/apiguardian-api/1.1.2/apiguardian-api-1.1.2.jar",
    ),
}
_ENGINES = (_JUPITER.format("engine"), _PLATFORM.format("engine"), _PLATFORM.format("launcher"))
MARK = "TESTEVO_CONTROLS"


def local_jar(path: str) -> Path:
    """A jar of the local Maven repository, fetched when it is not there yet."""
    jar = Path.home() / ".m2/repository" / path
    if not jar.is_file():
        *group, artifact, version, _ = path.split("/")
        coordinates = f"{'.'.join(group)}:{artifact}:{version}"
        subprocess.run(
            ["mvn", "-q", "-B", "dependency:get", f"-Dartifact={coordinates}", "-Dtransitive=false"],
            check=True,
            capture_output=True,
        )
    return jar


@dataclass
class Place:
    """A folder with a tree, and beside it what a hostile test must not reach."""

    folder: Path
    tree: BuiltTree
    mark: str = field(default_factory=lambda: uuid.uuid4().hex)

    @property
    def outside(self) -> Path:
        """The one folder outside that the sabotage is allowed to try."""
        return self.folder / "outside"

    @property
    def work(self) -> Path:
        return self.folder / "work"

    def state(self) -> dict[str, str]:
        """Digest of every file of the place; of the work folder, which is the harness's, only what is left in it."""
        files = sorted(path for path in self.folder.rglob("*") if path.is_file())
        kept = [
            path
            for path in files
            if not path.is_relative_to(self.outside)
            and not (path.is_relative_to(self.work) and "classes-" in str(path.relative_to(self.work)))
        ]
        return {str(path.relative_to(self.folder)): hashlib.sha256(path.read_bytes()).hexdigest() for path in kept}

    def processes(self) -> list[int]:
        """Processes anywhere on the machine that a test of this place has started and that still live."""
        found = []
        for process in psutil.process_iter():
            try:
                if process.environ().get(MARK) == self.mark and process.status() != psutil.STATUS_ZOMBIE:
                    found.append(process.pid)
            except (psutil.NoSuchProcess, psutil.AccessDenied):
                continue
        return found


MakePlace = Callable[..., Place]


@pytest.fixture(scope="module")
def make_place(tmp_path_factory: pytest.TempPathFactory) -> MakePlace:
    """A function that compiles test sources with javac."""
    javac = shutil.which("javac")
    if javac is None or not (JARS / "launcher.jar").is_file():
        pytest.skip("needs a JDK and jvm/lib/launcher.jar (make setup)")
    home = Path(javac).resolve().parents[1]
    jdk = Jdk(home, 17, "17")

    def make(sources: Mapping[str, str], framework: str) -> Place:
        folder = tmp_path_factory.mktemp("place")
        checkout, production, tests = folder / "checkout", folder / "store/main", folder / "store/test"
        for each in (checkout, production, tests, folder / "outside"):
            each.mkdir(parents=True)
        (folder / "neighbour").write_text("not yours")
        (checkout / "data.txt").write_text("data")
        libraries = [local_jar(path) for path in _LIBRARIES[framework]]
        files = []
        for path, text in sources.items():
            file = checkout / "src/test/java" / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
            files.append(str(file))
        subprocess.run(
            [
                javac,
                "-nowarn",
                "-source",
                "8",
                "-target",
                "8",
                "-cp",
                os.pathsep.join(map(str, libraries)),
                "-d",
                tests,
                *files,
            ],
            check=True,
            capture_output=True,
        )
        mark = uuid.uuid4().hex
        module = BuiltModule(
            path="",
            folder=checkout,
            production_classes=production,
            test_classes=tests,
            class_path=(tests, production, *libraries),
            framework=framework,  # type: ignore[arg-type]
            engine_jars=tuple(local_jar(path) for path in _ENGINES) if framework == "platform" else (),
            jvm_arguments=(f"-Dtestevo.sabotage.outside={folder / 'outside'}",),
            environment={MARK: mark},
            test_includes=(),
            test_excludes=(),
            test_roots=("src/test/java",),
            production_roots=("src/main/java",),
        )
        return Place(folder, BuiltTree(Checkout("o/p", "r", checkout, "k"), jdk, (module,), "k"), mark)

    return make


@pytest.fixture(params=["none", "unshare", "bubblewrap", "docker"])
def sandbox(request: pytest.FixtureRequest) -> Sandbox:
    if request.param == "docker":
        return sandbox_named("docker", request.getfixturevalue("podman").images)
    if request.param == "none":
        return NoSandbox()
    if request.param == "unshare":
        if not name_spaces_work():
            pytest.skip("the kernel makes no name spaces for this user")
        return NameSpaces()
    if not bubblewrap_works():
        pytest.skip("bubblewrap does not work on this machine")
    return Bubblewrap()

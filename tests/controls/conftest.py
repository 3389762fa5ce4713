"""Small built trees with hostile tests, and what is watched while they run."""

import hashlib
import os
import subprocess
import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import psutil
import pytest

from testevo.builds.engine import BuiltModule, BuiltTree, Checkout
from testevo.sandboxes.name_spaces import NameSpaces, name_spaces_work
from testevo.sandboxes.sandbox import Bubblewrap, NoSandbox, Sandbox, bubblewrap_works
from testevo.sandboxes.sandboxes import sandbox_named
from tests.junit_jars import engines_of, libraries_of, this_jdk

MARK = "TESTEVO_CONTROLS"


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
    """A function that compiles test sources, and production code that they are about, with javac."""
    jdk = this_jdk()

    def compile_into(classes: Path, root: Path, sources: Mapping[str, str], class_path: Sequence[Path]) -> None:
        for path, text in sources.items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text(text)
        options = ["-nowarn", "-source", "8", "-target", "8", "-cp", os.pathsep.join(map(str, class_path))]
        files = [root / path for path in sources]
        subprocess.run([jdk.home / "bin/javac", *options, "-d", classes, *files], check=True, capture_output=True)

    def make(sources: Mapping[str, str], framework: str, code: Mapping[str, str] | None = None) -> Place:
        folder = tmp_path_factory.mktemp("place")
        checkout, production, tests = folder / "checkout", folder / "store/main", folder / "store/test"
        for each in (checkout, production, tests, folder / "outside"):
            each.mkdir(parents=True)
        (folder / "neighbour").write_text("not yours")
        (checkout / "data.txt").write_text("data")
        libraries = libraries_of(framework)
        if code:
            compile_into(production, checkout / "src/main/java", code, libraries)
        compile_into(tests, checkout / "src/test/java", sources, (production, *libraries))
        mark = uuid.uuid4().hex
        module = BuiltModule(
            path="",
            folder=checkout,
            production_classes=production,
            test_classes=tests,
            class_path=(tests, production, *libraries),
            framework=framework,  # type: ignore[arg-type]
            engine_jars=engines_of(framework),
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

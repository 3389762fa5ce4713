"""Small built trees with hostile tests, and what is watched while they run."""

import os
import subprocess
import uuid
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from testevo.builds.engine import BuiltModule, BuiltTree, Checkout
from testevo.sandboxes.name_spaces import NameSpaces, name_spaces_work
from testevo.sandboxes.sandbox import Bubblewrap, NoSandbox, Sandbox, bubblewrap_works
from testevo.sandboxes.sandboxes import sandbox_named
from tests.controls.place import MARK, MakePlace, Place
from tests.junit_jars import engines_of, libraries_of, this_jdk


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

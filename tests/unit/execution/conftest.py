"""Small compiled Java trees to run tests in."""

import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from testevo.builds.engine import BuiltModule, BuiltTree, Checkout
from testevo.runtime.files.files import content_key
from testevo.runtime.files.jars import JARS
from tests.junit_jars import engines_of, libraries_of, this_jdk

MakeTree = Callable[..., BuiltTree]


@pytest.fixture
def make_tree(tmp_path: Path) -> MakeTree:
    """A function that compiles production and test sources of one module with javac into a built tree."""

    def make(
        tests: Mapping[str, str],
        production: Mapping[str, str] | None = None,
        framework: str = "none",
        name: str = "tree",
        **more: object,
    ) -> BuiltTree:
        folder = tmp_path / name
        jdk = this_jdk()
        libraries = libraries_of(framework)
        classes = {"src/main/java": folder / "out/main", "src/test/java": folder / "out/test"}
        class_path = [classes["src/test/java"], classes["src/main/java"], *libraries]
        folder.mkdir(exist_ok=True)
        for root, sources in (("src/main/java", production or {}), ("src/test/java", tests)):
            classes[root].mkdir(parents=True, exist_ok=True)
            files = []
            for path, text in sources.items():
                file = folder / "checkout" / root / path
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(text, encoding="utf-8")
                files.append(str(file))
            if files:
                subprocess.run(
                    [
                        jdk.home / "bin/javac",
                        "-nowarn",
                        "-encoding",
                        "UTF-8",
                        "-g",
                        "-d",
                        classes[root],
                        "-cp",
                        ":".join(map(str, class_path)),
                        *files,
                    ],
                    check=True,
                )
        (folder / "checkout").mkdir(exist_ok=True)
        engines = engines_of(framework)
        module = BuiltModule(
            path="",
            folder=folder / "checkout",
            production_classes=classes["src/main/java"],
            test_classes=classes["src/test/java"],
            class_path=tuple(class_path),
            framework=framework,  # type: ignore[arg-type]
            engine_jars=engines,
            jvm_arguments=(),
            environment={},
            test_includes=(),
            test_excludes=(),
            test_roots=("src/test/java",),
            production_roots=("src/main/java",),
        )
        module = BuiltModule(**(vars(module) | more))
        key = content_key(*(part for item in sorted(tests.items()) for part in item))
        return BuiltTree(Checkout("owner/project", name, folder / "checkout", key), jdk, (module,), key)

    return make


@pytest.fixture
def launcher() -> None:
    """Skips a test when the Java side is not built."""
    if not (JARS / "launcher.jar").is_file():
        pytest.skip("jvm/lib/launcher.jar is not built; run `make setup`")

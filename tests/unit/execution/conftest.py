"""Small compiled Java trees to run tests in."""

import shutil
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from testevo.builds.engine import BuiltModule, BuiltTree, Checkout
from testevo.builds.project.jdks import Jdk
from testevo.runtime.files.files import content_key
from testevo.runtime.files.jars import JARS

_JUNIT3 = ("junit:junit:3.8.1",)
_JUNIT4 = ("junit:junit:4.13.2", "org.hamcrest:hamcrest-core:1.3")
_JUPITER = (
    "org.junit.jupiter:junit-jupiter-api:5.10.2",
    "org.junit.jupiter:junit-jupiter-params:5.10.2",
    "org.opentest4j:opentest4j:1.3.0",
    "org.apiguardian:apiguardian-api:1.1.2",
    "org.junit.platform:junit-platform-commons:1.10.2",
)
_ENGINES = (
    "org.junit.jupiter:junit-jupiter-engine:5.10.2",
    "org.junit.platform:junit-platform-engine:1.10.2",
    "org.junit.platform:junit-platform-launcher:1.10.2",
)
_LIBRARIES = {"junit3": _JUNIT3, "junit4": _JUNIT4, "platform": _JUPITER, "none": ()}

MakeTree = Callable[..., BuiltTree]


def local_jar(coordinates: str) -> Path:
    """The jar in the local Maven repository, fetched when it is not there yet."""
    group, artifact, version = coordinates.split(":")
    jar = Path.home() / ".m2/repository" / group.replace(".", "/") / artifact / version / f"{artifact}-{version}.jar"
    if not jar.is_file():
        subprocess.run(
            ["mvn", "-q", "-B", "dependency:get", f"-Dartifact={coordinates}", "-Dtransitive=false"],
            check=True,
            capture_output=True,
        )
    return jar


def this_jdk() -> Jdk:
    """The JDK whose javac is first on the PATH."""
    javac = shutil.which("javac")
    if javac is None:
        pytest.skip("no JDK on this machine")
    home = Path(javac).resolve().parents[1]
    version = subprocess.run([javac, "-version"], capture_output=True, text=True, check=True).stdout.split()[-1]
    return Jdk(home, int(version.split(".")[0]), version)


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
        libraries = [local_jar(coordinates) for coordinates in _LIBRARIES[framework]]
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
        engines = tuple(local_jar(coordinates) for coordinates in _ENGINES) if framework == "platform" else ()
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

"""What a build prints or a project holds is read in a time that grows with its length, not with its square.

Squares of these lengths would take hours.
"""

import zipfile
from pathlib import Path

import pytest

from testevo.builds.compilation.jar_packages import JarPackages
from testevo.builds.maven.maven_failures import read_failure
from testevo.builds.project.pom import read_pom
from testevo.builds.project.pom_file import UnreadableBuildFileError
from testevo.runtime.processes.processes import Finished

LENGTH = 4_000_000


def long(words: str) -> str:
    return words * (LENGTH // len(words))


@pytest.mark.parametrize(
    "said", ["x", "a:b:c:", "Cannot access x (", "Non-resolvable parent POM ", "x could not be resolved "]
)
def test_long_lines_of_maven(said: str, tmp_path: Path) -> None:
    output = f"[ERROR] Could not resolve {long(said)}\n".encode()
    failure = read_failure(Finished(("mvn",), 1, output, b"", False), tmp_path, "a/b", 900, 17)
    assert failure.reason


def test_long_words_of_classes(tmp_path: Path) -> None:
    jar = tmp_path / "a.jar"
    with zipfile.ZipFile(jar, "w") as archive:
        archive.writestr("A.class", long("x") + "\0org/known/A")
    packages = JarPackages(tmp_path / "packages")
    assert packages.speaks_of(jar, "digest", "org.known")
    assert not packages.speaks_of(jar, "digest", "org.unknown")


@pytest.mark.parametrize("text", ["<!--", "<![CDATA[", "<?xml encoding='"])
def test_poms_that_begin_what_they_do_not_end(text: str, tmp_path: Path) -> None:
    (tmp_path / "pom.xml").write_text(long(text))
    with pytest.raises(UnreadableBuildFileError):
        read_pom(tmp_path)

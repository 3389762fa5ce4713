"""Java programs that run tests leave an output, which the tests can write as well."""

import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from testevo.builds.engine import BuiltTree
from testevo.execution.jvms import java_programs
from testevo.execution.jvms.java_programs import JavaPrograms
from testevo.execution.runner import Limits
from testevo.sandboxes.sandboxes import sandbox_named

PROGRAM = """import java.nio.file.*;
public class Program {
  public static void main(String[] arguments) throws Exception {
    Path output = Paths.get(arguments[0]);
    BODY
  }
}
"""
FOLDER = "Files.createDirectory(output.getParent());"
WRITES = 'Files.write(output, "said".getBytes());'


def output_of(make_tree: Callable[..., BuiltTree], tmp_path: Path, body: str) -> bytes | None:
    """The output that is read of a program with this body, which ends well."""
    tree = make_tree({"Program.java": PROGRAM.replace("BODY", body)})
    (module,) = tree.modules
    jar = tmp_path / "program.jar"
    with zipfile.ZipFile(jar, "w") as archive:
        archive.write(module.test_classes / "Program.class", "Program.class")
    programs = JavaPrograms(Limits(), sandbox_named("none"), tmp_path / "work")
    done = programs.run(
        tree, module, [jar], "Program", lambda place: [str(place.private / "out/put")], "out/put", seconds=60
    )
    assert done.status == 0, done.stderr
    return done.output


@pytest.mark.parametrize(
    ("body", "output"),
    [
        (f"{FOLDER} {WRITES}", b"said"),
        ("", None),
        ("Files.createDirectories(output);", None),
        (f"{FOLDER} Files.createSymbolicLink(output, output);", None),
        (
            'Files.createDirectory(output.getParent()); Files.createSymbolicLink(output, Paths.get("/etc/passwd"));',
            None,
        ),
        ('Files.createSymbolicLink(output.getParent(), Paths.get("."));' + WRITES, None),
        ("Files.createSymbolicLink(output.getParent(), output.getParent());", None),
    ],
    ids=["written", "none", "folder", "link-to-itself", "link-outside", "linked-folder", "folder-linked-to-itself"],
)
def test_the_output_is_a_plain_file_in_plain_folders(
    make_tree: Callable[..., BuiltTree], launcher: None, tmp_path: Path, body: str, output: bytes | None
) -> None:
    """A link to itself ended the work on every candidate with a traceback."""
    assert output_of(make_tree, tmp_path, body) == output


def test_a_flood_is_no_output(
    make_tree: Callable[..., BuiltTree], launcher: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(java_programs, "MOST_BYTES", 3)
    assert output_of(make_tree, tmp_path, f"{FOLDER} {WRITES}") is None

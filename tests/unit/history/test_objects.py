"""One git process answers for many objects, per process of ours, and its death is an error of the machine."""

import multiprocessing
import subprocess
from pathlib import Path

import psutil
import pytest

from testevo.history.objects import ObjectReader
from testevo.runtime.errors import MachineError


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    subprocess.run(["git", "init", "--quiet", "--bare", str(tmp_path)], check=True)
    return tmp_path


def put(repository: Path, content: bytes) -> str:
    command = ["git", "-C", str(repository), "hash-object", "-w", "--stdin"]
    return subprocess.run(command, input=content, capture_output=True, check=True).stdout.decode().strip()


@pytest.mark.parametrize("content", [b"", b"text\n", b"\0\xff", b"x" * 300_000], ids=["empty", "text", "bytes", "long"])
def test_bytes_come_back_as_they_are(repository: Path, content: bytes) -> None:
    blob = put(repository, content)
    assert ObjectReader(repository).read(blob) == (blob, "blob", content)


def test_what_is_not_there_is_none_and_later_questions_are_answered(repository: Path) -> None:
    reader = ObjectReader(repository)
    assert reader.read("0" * 40) is None
    assert reader.read("nonsense^{tree}") is None
    blob = put(repository, b"written after the first question")
    assert reader.read(blob) == (blob, "blob", b"written after the first question")


def test_a_forked_process_asks_a_git_of_its_own(repository: Path) -> None:
    reader = ObjectReader(repository)
    blobs = [put(repository, f"{number}".encode()) for number in range(40)]
    assert reader.read(blobs[0]) is not None
    fork = multiprocessing.get_context("fork")
    answers: multiprocessing.SimpleQueue[object] = fork.SimpleQueue()
    child = fork.Process(target=lambda: answers.put([reader.read(blob) for blob in blobs]))
    child.start()
    ours = [reader.read(blob) for blob in blobs]
    theirs = answers.get()
    child.join()
    assert theirs == ours == [(blob, "blob", f"{number}".encode()) for number, blob in enumerate(blobs)]


def test_a_git_that_dies_is_an_error_and_git_is_asked_again(repository: Path) -> None:
    reader, blob = ObjectReader(repository), put(repository, b"good\n")
    before = psutil.Process().children()
    assert reader.read(blob) is not None
    [git] = [child for child in psutil.Process().children() if child not in before]
    git.kill()
    git.wait()
    with pytest.raises(MachineError, match="git cat-file ended without an answer"):
        reader.read(blob)
    assert reader.read(blob) == (blob, "blob", b"good\n")

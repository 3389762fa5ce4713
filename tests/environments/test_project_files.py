"""The files by which services and newcomers know the project say what is true."""

import re
import subprocess
from collections import Counter
from pathlib import Path

import yaml

from testevo.runtime.files.jars import PROJECT


def test_actions_run_what_ci_runs() -> None:
    workflow = yaml.safe_load((PROJECT / ".github/workflows/ci.yml").read_text())
    assert [step["run"] for step in workflow["jobs"]["test"]["steps"] if "run" in step] == [".ci/run"]


def test_ci_ends_with_the_tests_of_an_older_jdk_which_are_skipped_where_none_can_be_brought(tmp_path: Path) -> None:
    assert (PROJECT / ".ci/run").read_text().splitlines()[-1] == ".ci/older_jdks"
    command = [PROJECT / ".ci/older_jdks", tmp_path / "no-script"]
    finished = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "skipped" in finished.stderr and "no-script" in finished.stderr


def test_checks_before_a_commit_are_those_of_make_check() -> None:
    hooks = yaml.safe_load((PROJECT / ".pre-commit-config.yaml").read_text())["repos"][0]["hooks"]
    makefile = (PROJECT / "Makefile").read_text()
    check = makefile[makefile.index("\ncheck:") : makefile.index("\ngenerate:")].replace("$(BIN)", ".venv/bin")
    for hook in hooks:
        assert hook["entry"] in check, hook["id"]


def test_the_page_of_the_configuration_names_every_file_beside_it() -> None:
    page = (PROJECT / "config/README.md").read_text()
    for file in (PROJECT / "config").iterdir():
        assert file.name in page or file.name == "README.md", file.name


def test_the_newcomer_finds_its_command_in_the_readme() -> None:
    block = re.search(r"^```\n(.*?)^```", (PROJECT / "README.md").read_text(), re.MULTILINE | re.DOTALL)
    assert block is not None
    assert block.group(1).split("#")[0].strip() == "make demo"


def test_files_of_tests_have_names_of_their_own() -> None:
    """pytest imports them by name alone, and collects nothing of the second of one name."""
    names = Counter(file.name for file in (PROJECT / "tests").rglob("test_*.py"))
    assert [name for name, number in names.items() if number > 1] == []

"""The workflow's own files: lint, layout, sizes, and the jobs it plans."""

import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from snapshots import PROJECT, Snapshot, jobs_of

from testevo.config.snapshot.layout import STAGES

RULES = sorted((PROJECT / "rules").glob("*.smk"))
BIN = Path(sys.executable).parent


def checked(*command: str) -> str:
    """The output of a check that must find nothing."""
    finished = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, check=False, timeout=600)
    assert finished.returncode == 0, finished.stdout + finished.stderr
    return finished.stdout + finished.stderr


def test_snakemake_finds_nothing_to_lint(tmp_path: Path) -> None:
    """`snakemake --lint` is clean."""
    snapshot = Snapshot.made(tmp_path, tmp_path / "cache", {"worlds": ["savings"]})
    finished = snapshot.run(snapshot.workflow("--lint"))
    assert finished.returncode == 0, finished.stdout + finished.stderr
    assert "Lints for" not in finished.stdout + finished.stderr


def test_rules_are_laid_out_by_the_formatter() -> None:
    """`snakefmt --check` is clean."""
    checked(str(BIN / "snakefmt"), "--check", "--line-length", "120", "Snakefile", "rules")


def test_rooms_import_only_rooms_below_them() -> None:
    """`lint-imports` is clean."""
    assert " 0 broken" in checked(str(BIN / "lint-imports"))


@pytest.mark.parametrize("rule", RULES, ids=lambda path: path.name)
def test_a_rule_file_fits_on_a_few_screens(rule: Path) -> None:
    """No rule file is longer than 250 lines."""
    assert len(rule.read_text().splitlines()) < 250


def test_the_snakefile_only_composes() -> None:
    """The Snakefile is shorter than 120 lines and includes every rule file."""
    text = (PROJECT / "Snakefile").read_text()
    assert len(text.splitlines()) < 120
    assert sorted(re.findall(r'include: "rules/(.+)"', text)) == [path.name for path in RULES]


def test_every_stage_has_its_rule_its_script_and_its_environment() -> None:
    """A stage is three files of one name (docs/architecture.md)."""
    for stage in ("search", *STAGES):
        for file in (f"rules/{stage}.smk", f"scripts/{stage}.py", f"envs/{stage}.yaml"):
            assert (PROJECT / file).is_file(), file


def test_the_worlds_are_planned_with_one_job_per_stage_and_history(tmp_path: Path) -> None:
    """A dry run of `config/snapshots/worlds.yaml` plans each stage once per world, search and package once."""
    worlds = len(list((PROJECT / "worlds").glob("*/world.yaml")))
    command = Snapshot(tmp_path).workflow("--dry-run")
    command[command.index("snapshot.yaml")] = str(PROJECT / "config/snapshots/worlds.yaml")
    finished = Snapshot(tmp_path).run(command)
    assert finished.returncode == 0, finished.stdout + finished.stderr
    stages = dict.fromkeys((set(STAGES) - {"package"}) | {"package_repository", "measure_gold"}, worlds)
    assert Counter(jobs_of(finished.stdout + finished.stderr)) == stages | {"search": 1, "package": 1, "all": 1}


def test_the_report_has_a_text_for_everything_that_it_shows() -> None:
    """What `snakemake --report` shows is marked in the rules; each mark names a caption that is there."""
    assert 'report: "report/workflow.rst"' in (PROJECT / "Snakefile").read_text()
    text = "\n".join(file.read_text() for file in RULES)
    marks = re.findall(r'caption="\.\./report/(\w+)\.rst",\s+category="(\w+)"', text)
    captions = {caption for caption, _ in marks}
    assert {category for _, category in marks} == {"Mining", "Grading", "Controls", "Configuration"}
    assert captions | {"workflow"} == {file.stem for file in (PROJECT / "report").glob("*.rst")}


def test_the_rules_load_nothing_that_only_stages_need() -> None:
    """Every job of a cluster reads them twice: what draws figures would cost it a second and 90 MiB."""
    lines = [line for file in RULES for line in file.read_text().splitlines()]
    imports = [line for line in lines if line.startswith("from testevo.")]
    heavy = ["altair", "scipy", "vl_convert", "docker", "tree_sitter", "pydriller"]
    program = "\n".join([*imports, "import sys", f"print([name for name in {heavy} if name in sys.modules])"])
    done = subprocess.run([sys.executable, "-c", program], cwd=PROJECT, capture_output=True, text=True, check=True)
    assert imports and done.stdout == "[]\n"

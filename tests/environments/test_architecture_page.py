"""docs/architecture.md draws what is there: the folders of testevo, the order of imports, the way of a commit pair."""

import re
from configparser import ConfigParser
from itertools import pairwise
from pathlib import Path

import pytest

from testevo.config.snapshot.layout import STAGES
from testevo.deployment.imports import reach_of
from testevo.deployment.rules import scripts_of_stages

PROJECT = Path(__file__).resolve().parents[2]
PAGE = (PROJECT / "docs/architecture.md").read_text()
ROOT = PROJECT / "testevo"
CONTRACTS = ConfigParser()
CONTRACTS.read(PROJECT / ".importlinter")


def rows(heading: str) -> list[list[str]]:
    """The cells of the first table below a heading, without its head."""
    section = PAGE[PAGE.index(f"\n## {heading}\n") :]
    table = re.search(r"(?:^\|.*\n)+", section, re.MULTILINE)
    assert table is not None
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in table[0].splitlines()[2:]]


def quoted(text: str) -> list[str]:
    return re.findall(r"`([^`]+)`", text)


PACKAGES = {quoted(row[0])[0]: row for row in rows("Packages")}


def folders_below(package: Path) -> set[str]:
    """All folders of a package, relative to it; those that hold no file that is committed do not count."""
    files = [file for file in package.rglob("*") if file.is_file() and file.suffix != ".pyc"]
    parents = {folder for file in files for folder in file.relative_to(package).parents}
    return {folder.as_posix() for folder in parents} - {"."}


def layers(contract: str) -> list[set[str]]:
    """The names in each layer of a contract, from the top, without those of single modules."""
    lines = CONTRACTS[f"importlinter:contract:{contract}"]["layers"].split("\n")
    groups = [[name.strip().split(".")[1:] for name in line.split("|")] for line in lines if line.strip()]
    folders = [{names[-1] for names in group if ROOT.joinpath(*names).is_dir()} for group in groups]
    return [names for names in folders if names]


def drawn_order(package: str) -> list[set[str]]:
    """The subpackages of a package in the groups that the page draws, without nested ones in brackets."""
    cell = re.sub(r"\([^)]*\)", "", PACKAGES[package][2])
    return [set(quoted(group)) for group in cell.split(">")]


def test_the_page_has_one_row_for_each_package() -> None:
    assert len(PACKAGES) == len(rows("Packages"))
    assert set(PACKAGES) == {folder for folder in folders_below(ROOT) if "/" not in folder}


def test_packages_stand_in_the_enforced_order() -> None:
    enforced = [name for layer in layers("rooms") for name in layer]
    section = PAGE[PAGE.index("\n## Packages\n") :]
    drawing = section[section.index("flowchart TD") : section.index("```\n\n")]
    chains = [re.findall(r"\w+", line) for line in drawing.splitlines()[1:]]
    assert [arrow for chain in chains for arrow in pairwise(chain)] == list(pairwise(enforced))
    assert list(PACKAGES) == enforced


@pytest.mark.parametrize("package", PACKAGES)
def test_each_folder_of_a_package_is_named_once(package: str) -> None:
    named = [name.removeprefix(f"{package}/") for name in quoted(" ".join(PACKAGES[package][1:3])) if name != "testevo"]
    assert sorted(named) == sorted(folders_below(ROOT / package))


@pytest.mark.parametrize("package", [name for name in PACKAGES if len(quoted(PACKAGES[name][2])) > 1])
def test_subpackages_stand_in_the_enforced_order(package: str) -> None:
    assert drawn_order(package) == layers(package)


def test_no_package_may_hold_a_circle() -> None:
    contract = CONTRACTS["importlinter:contract:circles"]
    assert contract["type"] == "acyclic_siblings"
    assert contract["ancestors"].split() == ["testevo"]
    assert "skip_descendants" not in contract


def test_no_folder_holds_more_than_a_dozen_modules() -> None:
    folders = [ROOT, *(ROOT / name for name in sorted(folders_below(ROOT)))]
    modules = {folder: len([file for file in folder.glob("*.py") if file.name != "__init__.py"]) for folder in folders}
    assert {str(folder.relative_to(ROOT)): number for folder, number in modules.items() if number > 12} == {}


def test_the_way_of_a_pair_has_one_file_per_step_which_a_script_of_the_stage_imports() -> None:
    scripts = scripts_of_stages(PROJECT)
    way = rows("The way of one commit pair")
    for stage, step, file in way:
        assert len(quoted(file)) == 1, step
        assert quoted(file)[0] in reach_of(PROJECT, scripts[quoted(stage)[0]]).files, step
    stages = list(dict.fromkeys(quoted(stage)[0] for stage, _, _ in way))
    assert stages == [*STAGES, "evaluate"]


def test_each_stage_has_a_row_in_order() -> None:
    stages = [quoted(row[0])[0] for row in rows("Flow")]
    assert [stage for stage in stages if stage in STAGES] == list(STAGES)
    for stage in stages:
        assert (PROJECT / "rules" / f"{stage}.smk").is_file(), stage


def test_each_path_on_the_page_is_there() -> None:
    paths = [
        name for name in quoted(PAGE) if "/" in name and " " not in name and "<" not in name and "results" not in name
    ]
    roots = [PROJECT, ROOT, *(ROOT / package for package in PACKAGES)]
    assert [path for path in paths if not any((root / path).exists() for root in roots)] == []

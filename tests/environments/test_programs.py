"""The table of programs that our code starts, held against the places where it starts any (envs/stages.yaml)."""

import ast
from pathlib import Path

import pytest

from testevo.deployment.imports import reach_of
from testevo.deployment.rules import scripts_of_stages
from testevo.deployment.stages import read_table

PROJECT = Path(__file__).resolve().parents[2]
TABLE = read_table(PROJECT)
STARTERS = {"run_command", "Popen", "run", "call", "check_call", "check_output", "which", "execv", "execvp", "execve"}
MODULES = {"subprocess", "shutil", "os"}


def starts_programs(file: Path) -> bool:
    """Whether a file calls what starts or looks for a program."""
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Call):
            match node.func:
                case ast.Name(id="run_command"):
                    return True
                case ast.Attribute(value=ast.Name(id=module), attr=name) if module in MODULES and name in STARTERS:
                    return True
    return False


def literals(file: Path) -> set[str]:
    texts = {node.value for node in ast.walk(ast.parse(file.read_text())) if isinstance(node, ast.Constant)}
    return {text for text in texts if isinstance(text, str)}


def test_the_table_names_every_place_that_starts_a_program() -> None:
    files = [file for folder in ("testevo", "scripts", "tools") for file in (PROJECT / folder).rglob("*.py")]
    found = {file.relative_to(PROJECT).as_posix() for file in files if starts_programs(file)}
    named = frozenset[str]().union(*(one.called_by for one in TABLE.programs.values())) | TABLE.passes_on
    assert found == named


@pytest.mark.parametrize("name", sorted(TABLE.programs))
def test_a_program_is_named_where_it_is_called(name: str) -> None:
    for file in TABLE.programs[name].called_by:
        assert name in literals(PROJECT / file), f"{file} does not name {name}"


@pytest.mark.parametrize("name", sorted(TABLE.programs))
def test_a_program_comes_from_somewhere(name: str) -> None:
    program = TABLE.programs[name]
    assert program.optional != bool(program.debian), f"{name}: who brings it?"
    assert program.needs <= set(TABLE.programs)


@pytest.mark.parametrize("stage", sorted(TABLE.stages))
def test_modules_bring_the_programs_that_a_cluster_lacks(stage: str) -> None:
    reached = reach_of(PROJECT, scripts_of_stages(PROJECT)[stage]).files
    wanted = {one.module for one in TABLE.programs_of(stage, reached).values() if one.module}
    modules = TABLE.stages[stage].modules
    assert {"StdEnv", "python"} | wanted == {module.split("/")[0] for module in modules}
    assert all(module.count("/") == 1 for module in modules), "every module has a version"


def test_a_stage_needs_what_its_programs_need() -> None:
    """`mvn` is a program of the JVM: whoever calls it needs `java`, too."""
    assert set(TABLE.programs_of("search", {"testevo/sources/release_download.py"})) == {"mvn", "java"}
    assert TABLE.programs_of("aggregate", {"testevo/sources/git_clone.py"}) == {}

"""The paths that rules state and those by which commands find the same files are the same."""

import re

import pytest
from snapshots import PROJECT

from testevo.config.snapshot.layout import Layout, Place, RepositoryFiles, SystemFiles
from testevo.config.snapshot.stage_failures import RULES
from testevo.deployment.rules import Rule, read_rules

NAMED = re.compile(r"^(\w+)=", re.MULTILINE)
READ_AS_A_WHOLE = {
    "package",
    "commit_lock",
    "solve_predictions",
    "swe_bench_report",
    "validation",
    "aggregate",
    "site",
    "reproduce_tables",
}
"""Rules that read or write too many files for a command line: their scripts find them by the table."""
WITH_SCRIPT = [rule for rule in read_rules(PROJECT) if rule.scripts]
TABLE = {
    name: place.pattern
    for files in (Layout, RepositoryFiles, SystemFiles)
    for name, place in vars(files).items()
    if isinstance(place, Place) and place.declared
}
ROOT = Layout(PROJECT / "results" / "any")
FOLDERS = {"dataset", "pages", "validation", "aggregate", "site", "reproduction"}


def stated() -> set[str]:
    """The paths below the results of inputs and outputs, with single braces; logs are for people."""
    text = "\n".join(file.read_text() for file in sorted((PROJECT / "rules").glob("*.smk")))
    found = {path.replace("{{", "{").replace("}}", "}") for path in re.findall(r'"<results>/([^"]+)"', text)}
    return {path for path in found if not path.startswith("logs/")}


def test_rules_and_table_name_the_same_files() -> None:
    """Each path of a rule is one of the table or below a folder of it, and each of the table is one of a rule."""
    failures = {str(ROOT.of_repository("{slug}").failure(rule).relative_to(ROOT.root)) for rule in RULES}
    shards = {"shards/{stage}/{wildcards.slug}@{part}.json"}
    shards |= {f"shards/{stage}/{{slug}}@{{shard}}.json" for stage in ("build_check", "instrument", "triple_execute")}
    folders = {TABLE[name] for name in FOLDERS}
    files = {pattern for name, pattern in TABLE.items() if name not in FOLDERS}
    folder_of = {path: one for path in stated() for one in folders if path.startswith(f"{one}/")}
    assert stated() - folder_of.keys() == files | failures | shards
    assert set(folder_of.values()) == folders


def test_a_shard_is_noted_where_its_repository_looks() -> None:
    """The path of the rule, with its wildcards filled in."""
    noted = ROOT.of_repository("a+b").of_shard("1of2").finished_shard("instrument")
    assert noted.relative_to(ROOT.root).as_posix() == "shards/instrument/a+b@1of2.json"


@pytest.mark.parametrize("rule", WITH_SCRIPT, ids=lambda rule: rule.name)
def test_a_command_shows_every_file_of_its_rule(rule: Rule) -> None:
    """Each named input and output is an option of its own name, or the rule is one of those with too many."""
    for kind in ("input", "output"):
        for name in NAMED.findall(rule.directives.get(kind, "")):
            shown = f"--{name.replace('_', '-')} {{{kind}.{name}:q}}"
            assert shown in " ".join(re.findall(r'"(.*?)"', rule.directives["shell"])) or rule.name in READ_AS_A_WHOLE

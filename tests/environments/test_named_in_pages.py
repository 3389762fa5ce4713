"""What the pages tell a reader to type or to open is there: options of verbs, cores of Snakemake, files and links."""

import re
from collections.abc import Iterator
from typing import Any

from typer.main import get_command

from testevo.cli.main import app
from testevo.runtime.files.project import PROJECT

PAGES = [*PROJECT.glob("*.md"), PROJECT / "config/README.md", *PROJECT.glob("docs/**/*.md")]
PAGES = sorted(page for page in PAGES if page.name != "CHANGELOG.md")
TOP = "testevo|scripts|rules|tools|tests|envs|config|profiles|jvm|docs|worlds|report"
PATH = re.compile(rf"(?<![\w/.<>{{}}-])((?:{TOP})/[\w./+-]*\w)(?![\w/]*[<*{{])")
MADE = re.compile(r"testevo/(_project|package/.*)|envs/containers/built|jvm/lib|config/snapshots/\d{4}-\d\d-\d\d\.yaml")
"""Places that a wheel, a command or a run makes."""
ENOUGH = ("--cores", "--profile", "--report")
"""Without one of these Snakemake refuses to begin."""


def commands() -> Iterator[tuple[str, str]]:
    """Each page with the lines of its code blocks, and with the code in its sentences that has an option."""
    for page in PAGES:
        text = page.read_text(encoding="utf-8").replace("\\\n", " ")
        blocks = re.findall(r"^```.*?\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
        lines = [line for block in blocks for line in block.splitlines()] + re.findall(r"^ {4}\S.*", text, re.MULTILINE)
        within = [code for code in re.findall(r"`([^`\n]+)`", text) if " --" in code]
        for code in (*(re.split(r"\s#\s", line)[0].strip() for line in lines), *within):
            yield page.name, code


def options_of(words: list[str]) -> set[str]:
    """The options of the verb that a command line begins with, and of what it belongs to."""
    verb: Any = get_command(app)
    options = {"--help"}
    for word in ["", *words]:
        verb = getattr(verb, "commands", {}).get(word) if word else verb
        if verb is None:
            break
        options |= {name for option in verb.params for name in option.opts}
    return options


def test_options_are_those_of_the_verb() -> None:
    wrong = []
    for page, command in commands():
        for call in re.findall(r"\btestevo ([^;|`)]*)", command):
            words = call.split()
            asked = {word.partition("=")[0] for word in words if word.startswith("--")}
            wrong += [(page, command, option) for option in asked - options_of(words)]
    assert wrong == []


def test_snakemake_is_told_how_many_cores_it_may_use() -> None:
    calls = [(page, command) for page, command in commands() if re.search(r"\bsnakemake [\w-]", command)]
    assert [call for call in calls if not any(option in call[1] for option in ENOUGH)] == []


def test_files_and_links_are_there() -> None:
    wrong = []
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        places = [page.parent / link for link in re.findall(r"\]\(([^)#\s]+)", text) if not link.startswith("http")]
        places += [PROJECT / path for path in PATH.findall(text) if not MADE.fullmatch(path)]
        wrong += [(page.name, str(place)) for place in places if not place.exists()]
    assert wrong == []

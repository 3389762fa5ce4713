"""What the pages tell a reader to type or to open is there: verbs, options, targets, modules, keys, files and links."""

import importlib.util
import re
from collections.abc import Iterator
from itertools import takewhile
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


def texts() -> Iterator[tuple[str, str]]:
    for page in PAGES:
        yield page.name, page.read_text(encoding="utf-8")


def commands() -> Iterator[tuple[str, str]]:
    """Each page with the lines of its code blocks, and with the code in its sentences that has an option."""
    for page, content in texts():
        text = content.replace("\\\n", " ")
        blocks = re.findall(r"^```.*?\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
        lines = [line for block in blocks for line in block.splitlines()] + re.findall(r"^ {4}\S.*", text, re.MULTILINE)
        within = [code for code in re.findall(r"`([^`\n]+)`", text) if " --" in code]
        for code in (*(re.split(r"\s#\s", line)[0].strip() for line in lines), *within):
            yield page, code


def typed() -> Iterator[tuple[str, str]]:
    """`commands`, and all code in sentences."""
    yield from commands()
    for page, text in texts():
        yield from ((page, code) for code in re.findall(r"`([^`\n]+)`", text))


def below(verb: Any, word: str) -> Any:
    """The verb of that name in a group of verbs; None where there is none."""
    return verb.get_command(None, word) if hasattr(verb, "commands") else None


def options_of(words: list[str]) -> set[str]:
    """The options of the verb that a command line begins with, and of what it belongs to."""
    verb: Any = get_command(app)
    options = {"--help"}
    for word in ["", *words]:
        verb = below(verb, word) if word else verb
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


def test_verbs_are_there() -> None:
    wrong = []
    for page, command in typed():
        for call in re.findall(r"(?<![\w./-])testevo ([a-z][^;|`)]*)", command):
            verb: Any = get_command(app)
            for word in takewhile(re.compile("[a-z-]+").fullmatch, call.split()):
                if not hasattr(verb, "commands"):
                    break
                verb = below(verb, word)
                if verb is None:
                    wrong.append((page, command))
                    break
    assert wrong == []


def test_targets_of_make_are_there() -> None:
    targets = set(re.findall(r"^(\w+):", (PROJECT / "Makefile").read_text("utf-8"), re.MULTILINE))
    asked = [(page, target) for page, code in typed() for target in re.findall(r"^make ([a-z_]+)", code)]
    assert asked and [one for one in asked if one[1] not in targets] == []


def test_modules_that_python_runs_are_there() -> None:
    asked = [
        (page, name) for page, text in texts() for name in re.findall(r"python3? -m ((?:testevo|tests)[\w.]+)", text)
    ]
    assert asked and [one for one in asked if importlib.util.find_spec(one[1]) is None] == []


def test_keys_of_the_configuration_are_there() -> None:
    """Those that a page names in full."""
    reference = (PROJECT / "docs/configuration.md").read_text("utf-8")
    keys = set()
    for heading, section in re.findall(r"^## `?([^`\n]+)`?\n(.*?)(?=^## |\Z)", reference, re.MULTILINE | re.DOTALL):
        above = "" if heading == "Top level" else heading.replace("[]", "") + "."
        keys |= {
            above.removesuffix("."),
            *(above + key for key in re.findall(r"^\| `([\w.]+)`", section, re.MULTILINE)),
        }
    sections = {key.partition(".")[0] for key in keys if "." in key}
    named = [(page, key) for page, text in texts() for key in re.findall(r"`([a-z_]+(?:\.[a-z_]+)+)`", text)]
    asked = [one for one in named if one[1].partition(".")[0] in sections and not one[1].endswith(".jar")]
    assert asked and [one for one in asked if one[1] not in keys] == []


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

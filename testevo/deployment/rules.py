"""The rules of the workflow as written: their directives, and the scripts that they start."""

import re
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Rule:
    """One rule of rules/*.smk."""

    name: str
    file: str
    directives: dict[str, str]
    """The text of each directive, by its name."""

    @property
    def stage(self) -> str | None:
        """The stage whose image it runs in."""
        named = re.search(r'container_of\("(\w+)"\)', self.directives.get("container", ""))
        return named.group(1) if named else None

    @property
    def scripts(self) -> list[str]:
        """The scripts that its command starts, without suffix."""
        return re.findall(r"\{SCRIPTS\}/(\w+)\.py", self.directives.get("shell", ""))


def read_rules(project: Path) -> list[Rule]:
    """All rules, by file and place."""
    files = sorted((project / "rules").glob("*.smk"))
    return [rule for file in [project / "Snakefile", *files] for rule in _rules(file, project)]


def scripts_of_stages(project: Path) -> dict[str, list[Path]]:
    scripts: dict[str, set[Path]] = {}
    for rule in read_rules(project):
        if rule.stage is not None:
            scripts.setdefault(rule.stage, set()).update(project / "scripts" / f"{name}.py" for name in rule.scripts)
    return {stage: sorted(files) for stage, files in scripts.items()}


def _rules(file: Path, project: Path) -> list[Rule]:
    """Rules begin with `rule` or `checkpoint` at some depth; their directives lie four columns deeper."""
    found: list[Rule] = []
    depth = -1
    directive = ""
    for line in file.read_text().splitlines():
        indent = len(line) - len(line.lstrip())
        start = re.match(r"\s*(?:rule|checkpoint) (\w+):", line)
        if start:
            depth, directive = indent, ""
            found.append(Rule(start[1], file.relative_to(project).as_posix(), {}))
        elif line.strip() and indent <= depth:
            depth = -1
        elif depth >= 0 and line.strip():
            named = re.match(r"\s*(\w+):(.*)", line) if indent == depth + 4 else None
            directive = named.group(1) if named else directive
            text = named.group(2) if named else line
            before = found[-1].directives.get(directive, "")
            found[-1].directives[directive] = f"{before}\n{text}".strip()
    return found

"""fidelity_windows: draw the parts of walks that are compared with released tasks (docs/fidelity.md).

Writes one configuration per released repository that has a clone, numbered in the order in which they are to be mined.
"""

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

from testevo.analysis.paper.fidelity_inputs import ReleasedRepository, read_released
from testevo.analysis.paper.fidelity_windows import configuration, draw_window, in_drawn_order
from testevo.config.load import load_config, merge, read_yaml
from testevo.history.git import GitRepository
from testevo.runtime.files.files import url_safe_name, write_atomically
from testevo.runtime.processes.handler import run_main


def main() -> None:
    options = arguments()
    base = read_yaml(options.configuration)
    if options.java_home:
        base = merge(base, {"build": {"java_homes": options.java_home}})
    written = 0
    for number, (repository, given) in enumerate(drawn(options, base), 1):
        if given is None:
            print(f"{number} {repository.name}: no clone that holds the drawn revision", file=sys.stderr)
            continue
        whole = merge(base, {"sources": {"mirror": options.mirror}})
        text = yaml.safe_dump(merge(whole, given), sort_keys=False)
        file = options.output / f"{number:02}-{url_safe_name(repository.name)}.yaml"
        file.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(file, text.encode())
        written += 1
    print(f"{written} configurations written to {options.output}.", file=sys.stderr)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--configuration", type=Path, required=True, help="what all windows have in common")
    parser.add_argument("--released", type=Path, required=True, help="folder of released task files")
    parser.add_argument("--mirror", required=True, help="local clones: '<folder>/{owner}+{name}/repo'")
    parser.add_argument("--java-home", action="append", help="a further JDK folder; may be given several times")
    parser.add_argument("--seed", type=int, default=20261122, help="of the order and of the drawn tasks")
    parser.add_argument("--length", type=int, default=16, help="commits from the drawn task's new revision on")
    parser.add_argument("--output", type=Path, required=True, help="folder of the configurations")
    return parser.parse_args()


def drawn(
    options: argparse.Namespace, base: dict[str, Any]
) -> Iterator[tuple[ReleasedRepository, dict[str, Any] | None]]:
    """Every released repository in the drawn order, with its configuration where there is a clone."""
    rules = load_config(base, origin=str(options.configuration)).rules.walk
    for repository in in_drawn_order(read_released(options.released).values(), options.seed):
        owner, _, name = repository.name.partition("/")
        folder = Path(options.mirror.format(owner=owner, name=name))
        folder = folder / ".git" if (folder / ".git").is_dir() else folder
        window = None
        if repository.tasks and folder.is_dir():
            git = GitRepository(folder)
            window = draw_window(repository, git, rules, seed=options.seed, length=options.length)
        yield repository, configuration(repository, window) if window else None


if __name__ == "__main__":
    run_main(main)

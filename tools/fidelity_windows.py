"""fidelity_windows: how to mine a window of each released repository, or its whole walk (docs/fidelity.md).

Writes one configuration per released repository, numbered in the order in which they are to be mined, and says of each
other one why it has none.
"""

import argparse
import sys
from pathlib import Path

import yaml

from testevo.analysis.paper.fidelity_inputs import ReleasedRepository, read_released
from testevo.analysis.paper.fidelity_windows import (
    WalkWindow,
    configuration,
    draw_window,
    has_start,
    in_drawn_order,
    whole_walk,
)
from testevo.config.load import load_config, merge, read_yaml
from testevo.config.rules import WalkRules
from testevo.history.git import GitRepository
from testevo.runtime.files.files import url_safe_name, write_atomically
from testevo.runtime.processes.handler import run_main


def main() -> None:
    options = arguments()
    base = read_yaml(options.configuration)
    if options.java_home:
        base = merge(base, {"build": {"java_homes": options.java_home}})
    rules = load_config(base, origin=str(options.configuration)).rules.walk
    released = in_drawn_order(read_released(options.released).values(), options.seed)
    written = 0
    for number, repository in enumerate(released, 1):
        window, remark = chosen(options, repository, rules)
        if remark:
            print(f"{number} {repository.name}: {remark}", file=sys.stderr)
        if window is None:
            continue
        common = merge(base, {"sources": {"mirror": options.mirror}})
        text = yaml.safe_dump(merge(common, configuration(repository, window)), sort_keys=False)
        file = options.output / f"{number:02}-{url_safe_name(repository.name)}.yaml"
        file.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(file, text.encode())
        written += 1
    left = len(released) - written
    print(f"{written} configurations written to {options.output}, {left} repositories left out.", file=sys.stderr)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--configuration", type=Path, required=True, help="what all of them have in common")
    parser.add_argument("--released", type=Path, required=True, help="folder of released task files")
    parser.add_argument("--mirror", required=True, help="local clones: '<folder>/{owner}+{name}/repo'")
    parser.add_argument("--java-home", action="append", help="a further JDK folder; may be given several times")
    parser.add_argument("--seed", type=int, default=20261122, help="of the order and of the drawn tasks")
    parser.add_argument("--length", type=int, default=16, help="commits from the drawn task's new revision on")
    parser.add_argument("--whole", action="store_true", help="the whole walk from the released start, not a window")
    parser.add_argument("--output", type=Path, required=True, help="folder of the configurations")
    return parser.parse_args()


def chosen(
    options: argparse.Namespace, repository: ReleasedRepository, rules: WalkRules
) -> tuple[WalkWindow | None, str]:
    """What is mined of a repository, and what its reader has to know: why nothing is, or why it starts elsewhere."""
    owner, _, name = repository.name.partition("/")
    folder = Path(options.mirror.format(owner=owner, name=name))
    folder = folder / ".git" if (folder / ".git").is_dir() else folder
    if not repository.tasks:
        return None, "left out: no released task"
    if not folder.is_dir():
        return None, f"left out: no clone at {folder}"
    git = GitRepository(folder)
    no_start = f"the clone lacks {repository.start}, where the released walk starts (git fetch --tags brings it)"
    if options.whole:
        walk = whole_walk(repository, git)
        is_released = walk.start == repository.start
        return walk, "" if is_released else f"starts at the newest commit of the clone: {no_start}"
    window = draw_window(repository, git, rules, seed=options.seed, length=options.length)
    if window is None:
        return None, "left out: the clone lacks the new revision of the drawn task"
    if window.start != repository.start and not has_start(repository, git):
        return window, f"starts at the drawn task: {no_start}"
    return window, ""


if __name__ == "__main__":
    run_main(main)

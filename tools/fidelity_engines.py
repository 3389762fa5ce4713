"""fidelity_engines: hold two drawn revisions of each mined repository against Maven and Surefire (docs/fidelity.md).

Builds and tests each of them by Maven alone, in a snapshot of its own beside the mined one, and compares the verdicts.
Writes one record per repository to `<docs>/fidelity/<name>.jsonl`, and the table between `<!-- generated: NAME -->` and
`<!-- end of NAME -->` in `<docs>/fidelity.md`. Records of repositories that no given snapshot holds stay as they are.
"""

import argparse
import sys
from pathlib import Path
from typing import Any

from testevo.analysis.paper.fidelity_engines import alone, draw_revisions, engines_part, revision_agreement
from testevo.analysis.paper.fidelity_inputs import read_repository
from testevo.analysis.paper.fidelity_page import replaced_part
from testevo.cli.inspecting.compare_engines import run_engine
from testevo.cli.mining.workflow import GIVEN
from testevo.config.load import load_config, read_yaml
from testevo.config.snapshot.layout import Layout
from testevo.records.base import records_so_far, write_records
from testevo.records.repository import slug_of
from testevo.records.snapshots.fidelity import EngineAgreement
from testevo.runtime.errors import UsageError
from testevo.runtime.files.files import write_atomically
from testevo.runtime.processes.handler import run_main
from testevo.sources.candidates import candidates


def main() -> None:
    options = arguments()
    page = options.docs / "fidelity.md"
    if not page.is_file():
        raise UsageError(f"{page} is not there. Run this in a checkout, or name its folder with --docs.")
    file = options.docs / "fidelity" / f"{options.name}.jsonl"
    listed = [(folder, name) for folder in options.snapshot for name in repositories_of(folder)]
    missing = set(options.repository) - {name for _, name in listed}
    if missing:
        raise UsageError(f"No given snapshot lists {', '.join(sorted(missing))}. Give the snapshot that does.")
    for folder, name in listed:
        if options.repository and name not in options.repository:
            continue
        one = compared(folder, name, options.seed, options.cores)
        keep(one, file, page, options.name)
        differences = sum(len(part.differences) for part in one.revisions)
        print(f"{one.repository}: {len(one.revisions)} revisions, {differences} differences.", file=sys.stderr)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--snapshot", type=Path, nargs="+", required=True, help="results folders")
    parser.add_argument("--repository", nargs="+", default=[], help="only these (default: all that are listed)")
    parser.add_argument("--seed", type=int, default=20261122, help="of the drawn revisions")
    parser.add_argument("--name", default="engines", help="of the records and of the part of the page")
    parser.add_argument("--cores", type=int, default=1, help="of each run of Maven")
    parser.add_argument("--docs", type=Path, default=Path("docs"), help="folder of fidelity.md (default: docs)")
    return parser.parse_args()


def repositories_of(folder: Path) -> list[str]:
    """The names of the repositories that the snapshot in a results folder lists."""
    if not Layout(folder).config.is_file():
        raise UsageError(f"{folder} holds no config.json. Give the results folder of a snapshot.")
    return [one.name for one in candidates(load_config(given_of(folder)))]


def given_of(folder: Path) -> dict[str, Any]:
    """The configuration that a snapshot was mined with, wherever its folder lies now."""
    return {**read_yaml(folder / GIVEN), "results": str(folder.resolve().parent)}


def compared(folder: Path, name: str, seed: int, cores: int) -> EngineAgreement:
    """What Maven says of the drawn revisions of one repository of a snapshot."""
    given = given_of(folder)
    files = Layout(folder).of_repository(slug_of(name))
    mined = read_repository(files, name, load_config(given).rules.pairs)
    parts = []
    for revision in draw_revisions(mined, seed):
        reference = run_engine(alone(given, name, revision), "maven", "builds", cores)
        parts.append(revision_agreement(mined, files, reference, revision))
    return EngineAgreement(repository=mined.name, revisions=tuple(parts))


def keep(one: EngineAgreement, file: Path, page: Path, part: str) -> None:
    """Put a record in the place of the repository's earlier one, and the table of all into the page."""
    before = [old for old in records_so_far(file, EngineAgreement) if old.repository != one.repository]
    found = sorted([one, *before], key=EngineAgreement.sort_key)
    text = replaced_part(page.read_text(encoding="utf-8"), part, engines_part(part, found))
    write_records(file, found)
    write_atomically(page, text.encode())


if __name__ == "__main__":
    run_main(main)

"""fidelity_engines: hold two drawn revisions of each mined repository against Maven and Surefire (docs/fidelity.md).

Builds and tests each of them by Maven alone, in a snapshot of its own beside the mined one, and compares the verdicts.
Writes one record per repository to `<docs>/fidelity/<name>.jsonl`, and the table between `<!-- generated: NAME -->` and
`<!-- end of NAME -->` in `<docs>/fidelity.md`. Records of repositories that no given snapshot holds stay as they are.
"""

import argparse
import sys
from pathlib import Path

from testevo.analysis.paper.fidelity_engines import alone, draw_revisions, engines_part, revision_agreement
from testevo.analysis.paper.fidelity_inputs import read_repository
from testevo.analysis.paper.fidelity_page import replaced_part
from testevo.cli.inspecting.compare_engines import run_engine
from testevo.cli.mining.workflow import GIVEN
from testevo.config.layout import Layout
from testevo.config.load import load_config, read_yaml
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
    for folder in options.snapshot:
        one = compared(folder, options.seed, options.cores)
        before = [old for old in records_so_far(file, EngineAgreement) if old.repository != one.repository]
        found = sorted(
            [one, *(old for old in before if old.repository != one.repository)], key=EngineAgreement.sort_key
        )
        text = replaced_part(page.read_text(encoding="utf-8"), options.name, engines_part(options.name, found))
        write_records(file, found)
        write_atomically(page, text.encode())
        differences = sum(len(part.differences) for part in one.revisions)
        print(f"{one.repository}: {len(one.revisions)} revisions, {differences} differences.", file=sys.stderr)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--snapshot", type=Path, nargs="+", required=True, help="results folders, a repository each")
    parser.add_argument("--seed", type=int, default=20261122, help="of the drawn revisions")
    parser.add_argument("--name", default="engines", help="of the records and of the part of the page")
    parser.add_argument("--cores", type=int, default=1, help="of each run of Maven")
    parser.add_argument("--docs", type=Path, default=Path("docs"), help="folder of fidelity.md (default: docs)")
    return parser.parse_args()


def compared(folder: Path, seed: int, cores: int) -> EngineAgreement:
    """What Maven says of the drawn revisions of the one repository that a snapshot holds."""
    layout = Layout(folder)
    if not layout.config.is_file():
        raise UsageError(f"{folder} holds no config.json. Give the results folder of a snapshot.")
    given = {**read_yaml(folder / GIVEN), "results": str(folder.resolve().parent)}
    config = load_config(given)
    names = [one.name for one in candidates(config)]
    if len(names) != 1:
        raise UsageError(f"{folder} holds {len(names)} repositories. Give snapshots of one repository each.")
    files = layout.of_repository(slug_of(names[0]))
    mined = read_repository(files, names[0], config.rules.pairs)
    parts = []
    for revision in draw_revisions(mined, seed):
        reference = run_engine(alone(given, revision), "maven", "builds", cores)
        parts.append(revision_agreement(mined, files, reference, revision))
    return EngineAgreement(repository=mined.name, revisions=tuple(parts))


if __name__ == "__main__":
    run_main(main)

"""fidelity: compare mined snapshots with tasks that others released for the same repositories (docs/fidelity.md).

Writes counts and our reasons, never released data: one record per repository in `<docs>/fidelity/<name>.jsonl`, and
the tables between `<!-- generated: NAME -->` and `<!-- end of NAME -->` in `<docs>/fidelity.md`. Records of
repositories that no given snapshot holds stay as they are.
"""

import argparse
import re
import sys
from datetime import date
from pathlib import Path

from testevo.analysis.paper.fidelity import agreement
from testevo.analysis.paper.fidelity_inputs import read_released, read_snapshot
from testevo.analysis.paper.fidelity_page import page_part, replaced_part
from testevo.records.base import records_so_far, write_records
from testevo.records.snapshots.fidelity import RepositoryAgreement
from testevo.runtime.errors import UsageError
from testevo.runtime.files.files import write_atomically
from testevo.runtime.processes.handler import run_main


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--snapshot", type=Path, nargs="+", required=True, help="results folders of snapshots")
    parser.add_argument("--released", type=Path, required=True, help="folder of released task files")
    parser.add_argument("--name", help="name of the comparison; that of a single snapshot by default")
    parser.add_argument("--docs", type=Path, default=Path("docs"), help="folder of fidelity.md (default: docs)")
    parser.add_argument(
        "--day", type=date.fromisoformat, default=date.today(), help="of the comparison (default: today)"
    )
    options = parser.parse_args()
    if len(options.snapshot) > 1 and options.name is None:
        raise UsageError("Several snapshots have no name in common. Give one with --name.")
    name = options.name or options.snapshot[0].resolve().name
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9_.-]*", name):
        raise UsageError(f"--name {name}: use letters, digits, dots, dashes and underscores only.")
    released = {key: one.tasks for key, one in read_released(options.released).items()}
    mined = [one for folder in options.snapshot for one in read_snapshot(folder)]
    file = options.docs / "fidelity" / f"{name}.jsonl"
    by_repository = {one.repository: one for one in records_so_far(file, RepositoryAgreement)}
    by_repository |= {one.name: agreement(released.get(one.name.lower(), ()), one, options.day) for one in mined}
    found = [by_repository[repository] for repository in sorted(by_repository)]
    page = options.docs / "fidelity.md"
    if not page.is_file():
        raise UsageError(f"{page} is not there. Run this in a checkout, or name its folder with --docs.")
    text = replaced_part(page.read_text(encoding="utf-8"), name, page_part(name, found))
    write_records(file, found)
    write_atomically(page, text.encode())
    without = sum(one.name.lower() not in released for one in mined)
    print(f"{len(mined)} repositories compared, {without} of them without released tasks.", file=sys.stderr)


if __name__ == "__main__":
    run_main(main)

"""fidelity: compare a mined snapshot with tasks that others released for the same repositories (docs/fidelity.md).

Writes counts and our reasons, never released data: one record per repository in `<docs>/fidelity/<name>.jsonl`, and
the tables between `<!-- generated: NAME -->` and `<!-- end of NAME -->` in `<docs>/fidelity.md`.
"""

import argparse
import re
import sys
from pathlib import Path

from testevo.analysis.paper.fidelity import agreement
from testevo.analysis.paper.fidelity_inputs import read_released_tasks, read_snapshot
from testevo.analysis.paper.fidelity_page import page_part, replaced_part
from testevo.records.base import write_records
from testevo.runtime.errors import UsageError
from testevo.runtime.files.files import write_atomically
from testevo.runtime.processes.handler import run_main


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--snapshot", type=Path, required=True, help="results folder of the snapshot")
    parser.add_argument("--released", type=Path, required=True, help="folder of released task files")
    parser.add_argument("--name", help="name of the comparison; the snapshot's by default")
    parser.add_argument("--docs", type=Path, default=Path("docs"), help="folder of fidelity.md (default: docs)")
    options = parser.parse_args()
    name = options.name or options.snapshot.resolve().name
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9_.-]*", name):
        raise UsageError(f"--name {name}: use letters, digits, dots, dashes and underscores only.")
    released = read_released_tasks(options.released)
    mined = read_snapshot(options.snapshot)
    found = [agreement(released.get(one.name.lower(), ()), one) for one in mined]
    page = options.docs / "fidelity.md"
    if not page.is_file():
        raise UsageError(f"{page} is not there. Run this in a checkout, or name its folder with --docs.")
    text = replaced_part(page.read_text(encoding="utf-8"), name, page_part(name, found))
    write_records(options.docs / "fidelity" / f"{name}.jsonl", found)
    write_atomically(page, text.encode())
    without = sum(one.name.lower() not in released for one in mined)
    print(f"{len(found)} repositories compared, {without} of them without released tasks.", file=sys.stderr)


if __name__ == "__main__":
    run_main(main)

"""reproduce_tables: the paper's tables and figures from its released files, beside the printed values (TEB-R*)."""

import sys
from pathlib import Path

from testevo.analysis.paper.released import HOW_TO_GET, read_released
from testevo.analysis.paper.reproduction import TOLERANCE, beyond_tolerance, printed_values, table_3, tables_6_to_9
from testevo.analysis.paper.reproduction_outputs import reproduction_files
from testevo.config.resolved import read_resolved
from testevo.runtime.errors import UsageError
from testevo.runtime.files.files import write_atomically
from testevo.runtime.processes.handler import run_main
from testevo.runtime.processes.job import snapshot_parser


def main() -> None:
    parser = snapshot_parser(__doc__)
    parser.add_argument("--differences", type=Path, required=True, help="is written beside the tables and figures")
    options = parser.parse_args()
    config = read_resolved(options.config)
    if config.reproduction.released is None:
        raise UsageError(f"reproduction.released is not set. {HOW_TO_GET}")
    folder = Path(config.reproduction.released)
    for name, content in reproduction_files(folder, config.analysis).items():
        write_atomically(options.differences.parent / name, content)

    released, printed = read_released(folder), printed_values()
    cells = [*table_3(released, printed), *tables_6_to_9(released, printed)]
    apart = beyond_tolerance(cells)
    same, points = len(cells) - len(apart), f"{100 * TOLERANCE:g}"
    print(f"{same} of {len(cells)} printed shares come out within {points} points.", file=sys.stderr)
    for cell in apart:
        print(f"  {cell.table}, {cell.row}, {cell.column}: {cell.printed} and {cell.rebuilt}", file=sys.stderr)


if __name__ == "__main__":
    run_main(main)

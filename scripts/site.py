"""site: the static site of a snapshot and of what was graded on it (TEB-R01, R02, R07 to R11)."""

from pathlib import Path

from testevo.analysis.reporting.run_folder import graded_tasks
from testevo.config.resolved import read_resolved
from testevo.config.snapshot.layout import Layout
from testevo.config.systems import systems_of
from testevo.runtime.processes.handler import run_main
from testevo.runtime.processes.job import snapshot_parser
from testevo.site.content import read_content
from testevo.site.writing import write_site


def main() -> None:
    parser = snapshot_parser(__doc__)
    parser.add_argument("--dataset", type=Path, required=True, help="checksums of the dataset, which lie in its folder")
    parser.add_argument("--index", type=Path, required=True, help="the first page; the others are written beside it")
    options = parser.parse_args()
    config = read_resolved(options.config)
    layout, systems, released = Layout.of(config), systems_of(config.evaluation), config.reproduction.released
    content = read_content(
        options.dataset.parent,
        graded_tasks(layout, systems),
        controls=[name for name, file in systems.items() if file is None],
        settings=config.analysis,
        cost_cap=config.evaluation.cost_cap,
        released=None if released is None else Path(released),
    )
    write_site(options.index.parent, content)


if __name__ == "__main__":
    run_main(main)

"""solve_predictions: the runs of one system over all repositories as predictions, what they took and what was found."""

from pathlib import Path

from testevo.agents.solving.predictions import predictions_text
from testevo.agents.solving.usage_table import usage_table
from testevo.agents.trajectories.scanner import findings_table
from testevo.config.resolved import read_resolved
from testevo.config.snapshot.layout import Layout
from testevo.grading.submissions.selection import selected_slugs
from testevo.packaging.dataset.dataset_folder import open_dataset
from testevo.records.agents.runs import AgentRun
from testevo.records.base import read_records
from testevo.runtime.files.files import write_atomically
from testevo.runtime.processes.handler import run_main
from testevo.runtime.processes.job import snapshot_parser


def main() -> None:
    parser = snapshot_parser(__doc__)
    parser.add_argument("--system", required=True, help="folder of the system")
    parser.add_argument("--dataset", type=Path, required=True, help="checksums of the dataset, which lie in its folder")
    parser.add_argument("--predictions", type=Path, required=True, help="is written")
    parser.add_argument("--findings", type=Path, required=True, help="is written")
    parser.add_argument("--usage", type=Path, required=True, help="is written")
    options = parser.parse_args()
    config = read_resolved(options.config)
    layout, tasks = Layout.of(config), open_dataset(options.dataset.parent).tasks
    files = [layout.of_system(options.system, slug).runs for slug in selected_slugs(tasks, config.evaluation)]
    runs = [run for file in files for run in read_records(file, AgentRun)]
    runs.sort(key=AgentRun.sort_key)
    write_atomically(options.predictions, predictions_text(runs).encode())
    write_atomically(options.findings, findings_table(runs).encode())
    write_atomically(options.usage, usage_table(runs).encode())


if __name__ == "__main__":
    run_main(main)

"""swe_bench_report: the results of one system in the shape of SWE-bench's reports.

Reads the `GradedTask` records of all repositories and the dataset, writes the run report and the instance reports.
Results that cannot be count for nothing, as in the tables.
"""

import json
from pathlib import Path

from testevo.analysis.reporting.run_folder import graded_tasks
from testevo.config.resolved import read_resolved
from testevo.config.snapshot.layout import Layout
from testevo.config.systems import systems_of
from testevo.grading.dataset.voided_results import void_impossible
from testevo.grading.exports.swe_bench_report import instance_reports, run_report
from testevo.grading.submissions.selection import selected
from testevo.packaging.dataset.dataset_folder import open_dataset
from testevo.runtime.files.files import url_safe_name, write_atomically
from testevo.runtime.processes.handler import run_main
from testevo.runtime.processes.job import snapshot_parser


def main() -> None:
    parser = snapshot_parser(__doc__)
    parser.add_argument("--system", required=True, help="folder of the system")
    parser.add_argument("--dataset", type=Path, required=True, help="checksums of the dataset, which lie in its folder")
    parser.add_argument("--report", type=Path, required=True, help="run report, is written")
    parser.add_argument("--instances", type=Path, required=True, help="instance reports, are written")
    options = parser.parse_args()
    config = read_resolved(options.config)
    systems = [name for name in systems_of(config.evaluation) if url_safe_name(name) == options.system]
    dataset = open_dataset(options.dataset.parent)
    tasks = selected(dataset.tasks, config.evaluation)
    graded = void_impossible(dataset, graded_tasks(Layout.of(config), systems), tasks).graded
    write_atomically(options.report, document(run_report(graded)))
    write_atomically(options.instances, document(instance_reports(graded)))


def document(value: object) -> bytes:
    return (json.dumps(value, indent=2, ensure_ascii=False) + "\n").encode()


if __name__ == "__main__":
    run_main(main)

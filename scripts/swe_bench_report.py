"""evaluate, one system: its results in the shape of SWE-bench's reports.

Reads the `GradedTask` records of all repositories, writes the run report and the instance reports.
"""

import argparse
import json
from pathlib import Path

from testevo.analysis.reporting.run_folder import graded_tasks
from testevo.config.layout import Layout
from testevo.config.resolved import read_resolved
from testevo.config.systems import folder_of, systems_of
from testevo.grading.exports.swe_bench_report import instance_report, run_report
from testevo.runtime.files.files import write_atomically
from testevo.runtime.processes.handler import run_main
from testevo.runtime.processes.processes import end_with_parent


def main() -> None:
    end_with_parent()
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--config", type=Path, required=True)
    parser.add_argument("--system", required=True, help="folder of the system")
    options = parser.parse_args()
    config = read_resolved(options.config)
    layout = Layout.of(config)

    systems = [name for name in systems_of(config.evaluation) if folder_of(name) == options.system]
    graded = graded_tasks(layout, systems)
    files = layout.of_system(options.system, "")
    write_atomically(files.report, document(run_report(graded)))
    write_atomically(files.instances, document({k: v for one in graded for k, v in instance_report(one).items()}))


def document(value: object) -> bytes:
    return (json.dumps(value, indent=2, ensure_ascii=False) + "\n").encode()


if __name__ == "__main__":
    run_main(main)

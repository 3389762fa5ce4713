"""install_program: install an agent program from its lock, for the systems that need it."""

from pathlib import Path

from testevo.agents.systems.installation import install
from testevo.runtime.processes.handler import run_main
from testevo.runtime.processes.job import job_parser


def main() -> None:
    parser = job_parser(__doc__)
    parser.add_argument("--program", required=True, help="its name, which is that of its folder")
    parser.add_argument("--installed", type=Path, required=True, help="is written: the lock, in the program's folder")
    options = parser.parse_args()
    install(options.program, options.installed.parents[1])


if __name__ == "__main__":
    run_main(main)

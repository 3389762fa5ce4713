"""reproduce_sample: compare the mined dataset with the checksums committed for it, file by file (docs/artifact.md).

Reads the dataset, writes nothing; with `--write` the dataset at hand becomes what is expected.
"""

import sys
from pathlib import Path

from testevo.packaging.dataset.expected_files import compared, differences
from testevo.runtime.errors import UserError
from testevo.runtime.files.checksums import checksum_lines, read_checksums
from testevo.runtime.files.files import write_atomically
from testevo.runtime.processes.handler import run_main
from testevo.runtime.processes.job import job_parser

REMARK = "# What `snakemake reproduce_sample` expects of the dataset, but for snapshot.json (docs/artifact.md).\n"


def main() -> None:
    parser = job_parser(__doc__)
    parser.add_argument("--dataset", type=Path, required=True, help="checksums of the dataset, which lie in its folder")
    parser.add_argument("--expected", type=Path, required=True, help="list of checksums, such as of `sha256sum`")
    parser.add_argument("--write", action="store_true", help="write the list instead")
    options = parser.parse_args()
    found = compared(options.dataset.parent)
    if options.write:
        write_atomically(options.expected, (REMARK + checksum_lines(found)).encode())
        return
    expected = read_checksums(options.expected)
    if apart := differences(found, expected):
        same = sum(found.get(name) == digest for name, digest in expected.items())
        raise UserError(
            f"{same} of {len(expected)} files are as expected, {len(apart)} are not. docs/artifact.md says what may "
            f"differ between machines.\n" + "\n".join(f"  {line}" for line in apart)
        )
    print(f"All {len(expected)} files are as expected.", file=sys.stderr)


if __name__ == "__main__":
    run_main(main)

"""validate: refuse a snapshot whose control submissions miss their expected grades, and name the tasks.

Reads the verdict of `validation`, writes nothing.
"""

from pathlib import Path

from testevo.runtime.errors import NotPublishableError, UserError
from testevo.runtime.files.json_and_yaml import parsed_json
from testevo.runtime.processes.handler import run_main
from testevo.runtime.processes.job import job_parser
from testevo.runtime.refused_input import reason

SHOWN_COMPLAINTS = 20


def main() -> None:
    parser = job_parser(__doc__)
    parser.add_argument("--verdict", type=Path, required=True)
    require_publishable(complaints_of(parser.parse_args().verdict))


def complaints_of(verdict: Path) -> list[str]:
    """The complaints that a verdict holds.

    Raises:
        UserError: it cannot be read as one.
    """
    try:
        return [str(one) for one in parsed_json(verdict.read_bytes())["complaints"]]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise UserError(f"{verdict} is not a verdict ({reason(error)}). Run the stage `validation` first.") from error


def require_publishable(complaints: list[str]) -> None:
    """Refuse a snapshot whose control submissions miss their expected grades."""
    if not complaints:
        return
    shown = "\n".join(f"  {one}" for one in complaints[:SHOWN_COMPLAINTS])
    more = f"\n  and {len(complaints) - SHOWN_COMPLAINTS} more" if len(complaints) > SHOWN_COMPLAINTS else ""
    raise NotPublishableError(
        f"The snapshot may not be published; its control submissions say:\n{shown}{more}\n"
        "See docs/controls.md for what each of them means, and the table `validate/tasks.md` for all tasks."
    )


if __name__ == "__main__":
    run_main(main)

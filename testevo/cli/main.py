"""The verbs of `testevo`, in the order in which a newcomer meets them."""

import typer

from testevo.cli import doctor, mine, status, task
from testevo.ground.handler import run_main

app = typer.Typer(
    name="testevo",
    help="Mine histories of Java/Maven projects for tests that evolve with their code.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
)
app.command("doctor")(doctor.doctor)
app.command("mine")(mine.mine)
app.add_typer(task.app, name="task")
app.command("status")(status.status)


def main() -> None:
    """Entry point of the command: one handler turns mendable errors into messages and statuses."""
    run_main(lambda: app(standalone_mode=False))


if __name__ == "__main__":
    main()

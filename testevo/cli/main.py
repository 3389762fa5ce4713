"""The verbs of `testevo`, in the order in which a newcomer meets them."""

from typing import Annotated

import typer
from typer.exceptions import TyperException

import testevo
from testevo.cli.grading import evaluate, lint, report, run_task, solve, submit
from testevo.cli.inspecting import builds, checkout, compare_engines, snapshot, status, task
from testevo.cli.machines import bundle, cache, doctor, plan
from testevo.cli.mining import import_results, mine, search
from testevo.cli.publishing import publish, site
from testevo.runtime.errors import ExitStatus, UsageError
from testevo.runtime.processes.handler import run_main

app = typer.Typer(name="testevo", no_args_is_help=True, pretty_exceptions_enable=False)


def print_version(wanted: bool) -> None:
    if wanted:
        print(f"testevo {testevo.__version__}")
        raise typer.Exit


@app.callback()
def common(
    version: Annotated[
        bool, typer.Option("--version", callback=print_version, is_eager=True, help="Print the version and end.")
    ] = False,
) -> None:
    """Mine histories of Java/Maven projects for tests that evolve with their code."""


app.command("doctor")(doctor.doctor)
app.command("mine")(mine.mine)
app.command("search")(search.search)
task.app.command("brief")(checkout.brief)
task.app.command("checkout")(checkout.checkout)
task.app.command("run")(run_task.run_task)
app.add_typer(task.app, name="task")
app.command("lint")(lint.lint)
app.command("solve")(solve.solve)
app.command("evaluate")(evaluate.evaluate)
app.command("report")(report.report)
app.add_typer(submit.app, name="submit")
app.command("site")(site.site)
app.command("publish")(publish.publish)
app.command("status")(status.status)
app.command("builds")(builds.builds)
app.command("plan")(plan.plan_snapshot)
app.command("import")(import_results.import_results)
app.add_typer(bundle.app, name="bundle")
app.add_typer(snapshot.app, name="snapshot")
app.add_typer(cache.app, name="cache")
app.command("compare-engines")(compare_engines.compare_engines)


def main() -> None:
    """The command: one handler turns fixable errors into messages and statuses (see `testevo.cli.start`)."""
    run_main(invoke)


def invoke() -> int | None:
    """Run the verb of the command line.

    Raises:
        UsageError: an unknown verb or option, or a value that none takes.
        KeyboardInterrupt: Ctrl-C.
    """
    try:
        status: int | None = app(standalone_mode=False)
    except typer.Abort as interrupt:
        raise KeyboardInterrupt from interrupt
    except TyperException as error:
        said = error.format_message()
        if not said:  # a verb alone: its help has been printed
            return ExitStatus.USAGE
        context = getattr(error, "ctx", None)
        verb = context.command_path if context else "testevo"
        raise UsageError(f"{said.rstrip('.')}. See `{verb} --help`.") from error
    if status == ExitStatus.INTERRUPTED:  # what typer makes of Ctrl-C
        raise KeyboardInterrupt
    return status


if __name__ == "__main__":
    main()

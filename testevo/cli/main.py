"""The verbs of `testevo`, in the order in which a newcomer meets them."""

from importlib import import_module
from typing import Annotated, Any

import typer
from typer.core import TyperGroup
from typer.exceptions import TyperException

import testevo
from testevo.runtime.errors import ExitStatus, UsageError
from testevo.runtime.processes.handler import run_main

VERBS = {
    "doctor": "machines.doctor.doctor",
    "mine": "mining.mine.mine",
    "search": "mining.search.search",
    "task": "grading.task_verbs.app",
    "lint": "grading.lint.lint",
    "solve": "grading.solve.solve",
    "evaluate": "grading.evaluate.evaluate",
    "report": "grading.report.report",
    "submit": "grading.submit.app",
    "site": "publishing.site.site",
    "publish": "publishing.publish.publish",
    "status": "inspecting.status.status",
    "builds": "inspecting.builds.builds",
    "plan": "machines.plan.plan_snapshot",
    "import": "mining.import_results.import_results",
    "bundle": "machines.bundle.app",
    "snapshot": "inspecting.snapshot.app",
    "cache": "machines.cache.app",
    "compare-engines": "inspecting.compare_engines.compare_engines",
}
"""The function or the group of verbs below `testevo.cli`, by verb."""


class Verbs(TyperGroup):
    """Loads a verb when it is asked for: all of them take a second."""

    def list_commands(self, ctx: Any) -> list[str]:
        return [*VERBS]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        # For an unknown one all, whose nearest the message names.
        for verb in [cmd_name] if cmd_name in VERBS else VERBS:
            if verb not in self.commands:
                self.commands[verb] = _loaded(verb)
        return self.commands.get(cmd_name)


def _loaded(verb: str) -> Any:
    module, _, name = VERBS[verb].rpartition(".")
    found = getattr(import_module(f"testevo.cli.{module}"), name)
    alone = typer.Typer()
    if isinstance(found, typer.Typer):
        alone.add_typer(found, name=verb)
    else:
        alone.command(verb)(found)
    return typer.main.get_group(alone).commands[verb]


app = typer.Typer(name="testevo", cls=Verbs, no_args_is_help=True, pretty_exceptions_enable=False)


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

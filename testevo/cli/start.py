"""The entry point of the command: what interrupts it, even while it loads its verbs, ends with a message."""

from testevo.runtime.processes.handler import run_main


def main() -> None:
    """One handler turns fixable errors into messages and statuses."""
    run_main(_invoke)


def _invoke() -> int | None:
    from testevo.cli.main import invoke  # takes about a second

    return invoke()


if __name__ == "__main__":
    main()

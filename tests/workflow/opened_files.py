"""Look over the shoulder of stage scripts: a module that Python loads at its start, put before all others on the path.

`recording` notes every file that a process opens, below one folder. `failing` makes a script fail the moment it
opens a file. Production code has no such switch.
"""

import os
from pathlib import Path

HOOK = """
import json, os, sys

def look(event, arguments):
    if event != "open" or not isinstance(arguments[0], (str, bytes)):
        return
    path = os.path.abspath(os.fsdecode(arguments[0]))
    script = os.path.basename(getattr(sys, "argv", [""])[0] or "")
    for stage, file in POISON:
        if script == stage and path.endswith(file):
            raise ERROR("poisoned at " + path)
    if FOLDER and path.startswith(FOLDER):
        mode, flags = arguments[1], arguments[2]
        writes = bool(flags & (os.O_WRONLY | os.O_RDWR)) if isinstance(flags, int) else False
        line = json.dumps([" ".join(sys.argv), path, writes]) + "\\n"
        descriptor = os.open(NOTES, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
        os.write(descriptor, line.encode())
        os.close(descriptor)

sys.addaudithook(look)
"""


def environment(
    folder: Path,
    *,
    recorded: Path | None = None,
    notes: Path | None = None,
    failing: tuple[tuple[str, str], ...] = (),
    error: type[Exception] = KeyError,
) -> dict[str, str]:
    """The environment of a command whose Python processes are looked at.

    Args:
        folder: where the module is written.
        recorded: files below it are noted when they are opened, in `notes`: a JSON list of command, path and whether
            it is written.
        failing: script and end of the path whose opening fails.
        error: what it fails with.
    """
    folder.mkdir(parents=True, exist_ok=True)
    values = {"FOLDER": f"{recorded}/" if recorded else "", "NOTES": str(notes or ""), "POISON": list(failing)}
    head = "".join(f"{name} = {value!r}\n" for name, value in values.items()) + f"ERROR = {error.__name__}\n"
    (folder / "sitecustomize.py").write_text(head + HOOK)
    return {**os.environ, "PYTHONPATH": os.pathsep.join([str(folder), os.environ.get("PYTHONPATH", "")]).rstrip(":")}

"""Install agent programs from their locks, each into a folder of its own, never the environment of this project.

The clients of npm and PyPI fetch the packages of the locks in `envs/agents`; every file has the hash of its lock, and
scripts of npm packages do not run.
"""

import shutil
import venv
from pathlib import Path

from testevo.agents.systems.locks import STAMP, lock_of
from testevo.agents.systems.systems import INSTALLED, system_named
from testevo.runtime.errors import MachineError, NotFoundError
from testevo.runtime.files.files import empty_folder
from testevo.runtime.files.whole_files import locked
from testevo.runtime.processes.processes import run_command

_SECONDS = 1800


def install(name: str, folder: Path) -> str:
    """Install a program below a folder, unless its locked version is there; processes may ask at the same time.

    Returns:
        Its version.

    Raises:
        NotFoundError: no program of that name is installed from a lock.
        MachineError: npm or pip failed; the message ends with its last words.
    """
    lock = lock_of(name)
    if lock is None:
        raise NotFoundError(f"There is no agent program {name!r} to install. There are {', '.join(sorted(INSTALLED))}.")
    target, done = folder / name, folder / name / STAMP
    with locked(folder / f"{name}.lock"):
        if not done.is_file() or done.read_bytes() != lock.read_bytes():
            empty_folder(target)
            (_install_npm if lock.suffix == ".json" else _install_pip)(name, lock, target)
            shutil.copyfile(lock, done)
    return system_named(name, folder).version


def _install_npm(name: str, lock: Path, target: Path) -> None:
    for file in (lock, lock.with_name("package.json")):
        shutil.copyfile(file, target / file.name)
    _run(name, ["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund"], target)


def _install_pip(name: str, lock: Path, target: Path) -> None:
    venv.create(target, with_pip=True, symlinks=True)
    options = ["--quiet", "--disable-pip-version-check", "--require-hashes", "--no-deps"]
    _run(name, [str(target / "bin" / "python"), "-m", "pip", "install", *options, "-r", str(lock)], target)


def _run(name: str, command: list[str], folder: Path) -> None:
    done = run_command(command, folder=folder, seconds=_SECONDS)
    if done.status != 0:
        words = (done.stderr or done.stdout).decode(errors="replace").strip()[-500:]
        raise MachineError(f"{name} could not be installed: {' '.join(command[:3])} ended with {done.status}: {words}")

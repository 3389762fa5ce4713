"""Find the project's files that are not Python packages: workflow, presets, embedded histories, jars."""

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parents[2]
_PACKAGED = _PACKAGE / "_project"


def is_checkout() -> bool:
    """Whether this is a checkout of the project, not an installed wheel, which holds its files itself (`setup.py`)."""
    return not _PACKAGED.is_dir()


def project_root() -> Path:
    """The folder of `Snakefile`, `rules`, `scripts`, `config`, `envs`, `profiles`, `worlds` and `jvm/lib`."""
    return _PACKAGE.parent if is_checkout() else _PACKAGED


PROJECT = project_root()

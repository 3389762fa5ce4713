"""Options of javac that name files: no key of classes holds what is in them, so that only Maven compiles with them."""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from testevo.builds.model.model import CHECKOUT
from testevo.runtime.files.plain_files import exists

_PARTS = re.compile(r"[=:;,]")


def reads_files(options: Iterable[str], folder: Path, module: str) -> Iterator[str]:
    """Why javac may read a file that is neither a source nor on its class path.

    Args:
        options: as in `Compilation.options`.
        folder: the checkout that Maven has built.
        module: the folder of the module, relative to it.
    """
    for word in options:
        if word.startswith("-Xplugin"):
            yield "javac plugins"
        elif word.startswith("@"):
            yield f"javac reads options from {word[1:]}"
        elif CHECKOUT in word or any(_exists(part, folder, module) for part in _paths(word)):
            yield f"the option {word} of javac names a file of the project"


def _paths(word: str) -> list[str]:
    """What may be a path in an option: each part of one for a processor, of others what has folders."""
    return [part for part in _PARTS.split(word)[1 if word.startswith("-") else 0 :] if "/" in part or word[:2] == "-A"]


def _exists(part: str, folder: Path, module: str) -> bool:
    inside = part.strip("/.") and not part.startswith("/")
    return bool(inside) and (exists(folder / module / part) or exists(folder / part))

"""Annotation processors among the classes of the project: only Maven compiles with them.

What a processor does follows from its code and from whatever it reads, of which keys of classes hold the interface at
most; and the warm compiler would run it in a JVM with others.
"""

from collections.abc import Collection, Sequence
from itertools import pairwise
from pathlib import Path

from testevo.builds.classes.class_names import can_be_file
from testevo.builds.project.processors import OFFERS, WITHOUT


def own_processor(options: Sequence[str], class_path: Sequence[Path], own: Collection[Path]) -> str | None:
    """The processor, or the file that offers one, in a class folder of the project that javac would run; or None.

    Args:
        own: class folders of modules of the project.
    """
    if WITHOUT in options:
        return None
    given = (one for word, after in pairwise(options) if word == "-processor" for one in after.split(","))
    named = [one for one in given if can_be_file(one)]
    for folder in (entry for entry in class_path if entry in own):
        for offer in OFFERS:
            if (folder / offer).is_file():
                return offer
        for name in named:
            if (folder / f"{name.replace('.', '/')}.class").is_file():
                return name
    return None

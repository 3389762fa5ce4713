"""What is wrong with a file that cannot be read into a record, in the words of the file instead of Python's."""

from collections.abc import Mapping

from pydantic import ValidationError

IN_FILES: Mapping[str, str] = {
    "tuple_type": "should be a list",
    "list_type": "should be a list",
    "model_type": "should hold keys and values",
    "dict_type": "should hold keys and values",
    "extra_forbidden": "unknown key",
}
"""What YAML and JSON call the Python types that pydantic's messages name, by kind of defect."""
MOST_DEFECTS = 5
"""Named in one message."""


def reason(error: Exception) -> str:
    """One line that says why a file was refused: each defect with its key, or the first line of any other error."""
    if isinstance(error, ValidationError):
        defects = [_defect(item["type"], item["loc"], item["msg"]) for item in error.errors()]
        more = [f"and {len(defects) - MOST_DEFECTS} more"] if len(defects) > MOST_DEFECTS else []
        return "; ".join([*defects[:MOST_DEFECTS], *more])
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    return next(iter(str(error).splitlines()), type(error).__name__)


def in_files(kind: str, message: str) -> str:
    """A defect's message in the words of files."""
    return IN_FILES.get(kind, message.removeprefix("Value error, "))


def _defect(kind: str, location: tuple[int | str, ...], message: str) -> str:
    key = ".".join(map(str, location))
    return ": ".join(filter(None, [key, in_files(kind, message)]))

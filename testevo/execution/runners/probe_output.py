"""What the call probe writes: a line for each invocation of a test, and one for each method it could not instrument.

Tests run in the JVM that writes the file and can write into it, too. A line of another shape counts as one that is not
there, like the last one of a JVM that died: the calls of its test are missing.
"""

from collections.abc import Iterator

from pydantic import BaseModel, ConfigDict, Field, ValidationError

_SHAPE = ConfigDict(extra="ignore", frozen=True)
_MOST_OF_INT = 2**31 - 1
_METHOD_DESCRIPTOR = r"^\((?:\[*(?:[BCDFIJSZ]|L[^;)]+;))*\)"


class ProbedCall(BaseModel):
    """A method that a test entered, and how; see `testevo.records.calls.Callee`."""

    model_config = _SHAPE

    type_name: str = Field(validation_alias="class")
    name: str
    descriptor: str = Field(pattern=_METHOD_DESCRIPTOR)
    signature: str | None = None
    variable_arity: bool = False
    depth: int = Field(1, ge=1, le=_MOST_OF_INT)
    calls: int = Field(1, ge=-_MOST_OF_INT - 1, le=_MOST_OF_INT)
    from_thread: bool = False
    through_bridge: bool = False
    through_lambda: bool = False
    through_helper: bool = False


class ProbeLine(BaseModel):
    """The methods that one invocation of a test entered, or a method that is not instrumented."""

    model_config = _SHAPE

    type_name: str = Field(validation_alias="class")
    method: str
    parameters: tuple[str, ...] | None = None
    direct: tuple[ProbedCall, ...] = ()
    helpers: tuple[ProbedCall, ...] = ()
    closure: tuple[ProbedCall, ...] = ()
    uninstrumented: str | None = None


def probe_lines(data: bytes) -> Iterator[ProbeLine]:
    """The lines of the probe's output that have its shape."""
    for line in data.split(b"\n"):
        try:
            yield ProbeLine.model_validate_json(line)
        except ValidationError:
            continue

"""`CallMap`: what the stage `instrument` writes (TEB-M19, X14)."""

from testevo.records.base import Part, Record
from testevo.records.methods import MethodKey, TestKey
from testevo.records.verdicts import Outcome


class Callee(Part):
    """A method entered while a test ran. `descriptor` and `returns` come from byte code."""

    method: MethodKey
    descriptor: str
    depth: int = 1
    """1 for a direct callee: the first production frame below the test method."""
    calls: int = 1
    """How often it was entered from that depth or above."""
    from_thread: bool = False
    """Reached only through `run` or `call` of a test class in another thread."""
    through_bridge: bool = False
    """Reached only through bridge methods of the compiler, or partly so and otherwise through lambdas."""
    through_lambda: bool = False
    """Reached only through lambdas in the text of the test."""
    through_helper: bool = False
    """Reached only through a method of the test tree other than the test itself."""
    generic_signature: str | None = None
    variable_arity: bool = False
    """Takes its last parameter as `T...`."""


class CallMap(Record):
    """The production methods that one test method called at one revision."""

    repository: str
    revision: str
    test: TestKey
    outcome: Outcome
    direct: tuple[Callee, ...] = ()
    """Production methods called directly, constructors left out."""
    helpers: tuple[Callee, ...] = ()
    """Methods of the test tree called directly or from lambdas (not constructors, fixtures or call-backs)."""
    closure: tuple[Callee, ...] = ()
    """All production methods entered, with their smallest depth."""

    uninstrumented: tuple[str, ...] = ()
    """Classes of the project that the JVM of the test has loaded and the probe could not instrument: their calls are
    missing."""

    def sort_key(self) -> tuple[object, ...]:
        return (self.repository, self.revision, str(self.test))

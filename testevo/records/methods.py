"""Names of methods and places in files: the nouns all other records are made of."""

from testevo.records.base import DocumentedEnum, Part


class MethodKey(Part):
    """A method by class, name and parameter types.

    `type_name` is the binary name (`a.b.Outer$Inner`). `parameters` are erased simple type names as written in the
    source (`String`, `int[]`, `Entry`), varargs as arrays, type variables as their bound: a parameter class that only
    moved to another package changes no key.
    """

    type_name: str
    name: str
    parameters: tuple[str, ...] = ()

    @property
    def simple_type(self) -> str:
        """`Outer$Inner` without the package."""
        return self.type_name.rsplit(".", 1)[-1]

    @property
    def short(self) -> str:
        """`Outer$Inner#name`, the form of the released data (TEB-D06)."""
        return f"{self.simple_type}#{self.name}"

    def __str__(self) -> str:
        return f"{self.type_name}#{self.name}({','.join(self.parameters)})"


class Span(Part):
    """First and last line of a declaration, 1-based, annotations included, documentation comment excluded."""

    first_line: int
    last_line: int

    def contains(self, line: int) -> bool:
        return self.first_line <= line <= self.last_line


class Side(DocumentedEnum):
    """Production or test code."""

    PRODUCTION = "production", "below a main source root"
    TEST = "test", "below a test source root"


class ChangeKind(DocumentedEnum):
    """The change of a method between two revisions (TEB-X02)."""

    INSERTED = "inserted", "absent at the old revision"
    MODIFIED = "modified", "present at both ends, and different"
    REMOVED = "removed", "absent at the new revision"
    UNCHANGED = "unchanged", "present at both ends, and equal"


class TestKind(DocumentedEnum):
    """How a test method is declared."""

    __test__ = False

    JUNIT3 = "junit3", "public void testX() of a junit.framework.TestCase"
    JUNIT4 = "junit4", "@org.junit.Test"
    JUPITER = "jupiter", "@org.junit.jupiter.api.Test"
    PARAMETERISED = "parameterised", "@ParameterizedTest, or a method of a class run by JUnit 4's Parameterized"
    REPEATED = "repeated", "@RepeatedTest"
    FACTORY = "factory", "@TestFactory or @TestTemplate"
    NESTED = "nested", "a test method of a @Nested or other member class"
    INHERITED = "inherited", "a test method declared in a super class and run in a concrete subclass"


class TestKey(Part):
    """A test method as it is selected and run. `type_name` is the class it runs in, also for an inherited test."""

    __test__ = False

    module: str
    """Module folder relative to the repository, '' for the root."""
    path: str
    """Repository-relative path of the file that declares the class."""
    type_name: str
    name: str
    parameters: tuple[str, ...] = ()

    @property
    def short(self) -> str:
        return f"{self.type_name.rsplit('.', 1)[-1]}#{self.name}"

    @property
    def method(self) -> MethodKey:
        return MethodKey(type_name=self.type_name, name=self.name, parameters=self.parameters)

    def __str__(self) -> str:
        return f"{self.path}:{self.type_name}#{self.name}({','.join(self.parameters)})"

"""Exceptions that say that a look-up by name found nothing: by reflection of the JDK, or by libraries above it."""

import re
from collections.abc import Sequence

from testevo.grading.verdicts.traces import Frame, Thrown

BY_REFLECTION = frozenset(
    {
        "java.lang.ClassNotFoundException",
        "java.lang.NoSuchMethodException",
        "java.lang.NoSuchFieldException",
        "java.lang.TypeNotPresentException",
        "java.lang.EnumConstantNotPresentException",
        # What reflection may not reach or make is there by its name, and not as the new code has it.
        "java.lang.IllegalAccessException",
        "java.lang.InstantiationException",
        "java.lang.invoke.WrongMethodTypeException",
        "java.lang.reflect.InaccessibleObjectException",
    }
)
_BY_LIBRARIES = frozenset(
    {
        "groovy.lang.MissingMethodException",
        "groovy.lang.MissingPropertyException",
        "java.beans.IntrospectionException",
        "org.assertj.core.util.introspection.IntrospectionError",
        "org.powermock.reflect.exceptions.ConstructorNotFoundException",
        "org.powermock.reflect.exceptions.FieldNotFoundException",
        "org.powermock.reflect.exceptions.MethodNotFoundException",
        "org.springframework.beans.InvalidPropertyException",
        "org.springframework.beans.NotReadablePropertyException",
        "org.springframework.beans.NotWritablePropertyException",
    }
)
_ARGUMENTS = re.compile(
    r"No enum constant [\w.$]+\Z"
    # Reflection of the JDK, where a member has other parameters or another class than in the new code.
    r"|wrong number of arguments|argument type mismatch|object (?:of type \S+ )?is not an instance of"
    r"|Could not find (?:field|method|setter|getter)\b"  # Spring's ReflectionTestUtils
    r"|Cannot locate (?:declared )?field\b"  # FieldUtils of Commons Lang
)
_NO_PROPERTY = re.compile(
    r"\bbut: [^\"\n]{0,200}[nN]o (?:property )?\""  # Hamcrest
    # AssertJ
    r"|\bto have (?:a property or a field named|(?:declared |public ){0,2}(?:accessible )?(?:fields|methods):)"
)
_OF_MATCHERS = re.compile(r"^(?:Expected: [^\n]*\bhasProperty\(|Expecting\b)", re.MULTILINE)
_MEMBER = re.compile(r"(?:no such \w+: )?([\w.$]+)\.([\w$<>]+)[(/]")


def is_failed_look_up(thrown: Thrown) -> bool:
    """Whether a throwable says that something was not there when somebody asked for it by its name."""
    if thrown.name in BY_REFLECTION or thrown.name in _BY_LIBRARIES:
        return True
    if thrown.name == "java.lang.IllegalArgumentException":
        return _ARGUMENTS.match(thrown.said) is not None
    if thrown.name == "java.lang.AssertionError":
        return _OF_MATCHERS.search(thrown.said) is not None and _NO_PROPERTY.search(thrown.said) is not None
    return False


def member_asked_for(thrown: Thrown) -> tuple[str, str] | None:
    """The class and the member that a failed look-up names; None where it names no such pair, or a constant of an
    enumeration: code that reads text finds constants by it, so that the old code knows no new one is what it does."""
    found = _MEMBER.match(thrown.said)
    return (found[1], found[2]) if found else None


def frames_of_asker(thrown: Thrown) -> Sequence[Frame]:
    """The frames of a failed look-up without the method `valueOf` that the compiler gives each enumeration."""
    frames = thrown.frames
    of_enumeration = len(frames) > 1 and frames[0].type_name == "java.lang.Enum" and frames[1].method == "valueOf"
    return frames[2:] if of_enumeration else frames

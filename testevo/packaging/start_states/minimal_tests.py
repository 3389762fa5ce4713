"""The smallest test file that has the target methods of a task, in the idiom of their JUnit."""

import hashlib
from collections.abc import Sequence
from typing import Literal

from testevo.java.declarations import JavaFile, JavaMethod, JavaType
from testevo.java.syntax import parse_java
from testevo.packaging.start_states.start_state import target_methods
from testevo.records.tasks import Task

Idiom = Literal["junit3", "junit4", "jupiter"]

_JUPITER_ONLY = frozenset({"ParameterizedTest", "RepeatedTest", "TestFactory", "TestTemplate"})
_OF_ANY_METHOD = frozenset({"Override", "SuppressWarnings", "Deprecated", "SafeVarargs"})
ASSERTIONS = {
    "junit3": "junit.framework.Assert",
    "junit4": "org.junit.Assert",
    "jupiter": "org.junit.jupiter.api.Assertions",
}
BODIES = {
    "trivial": "{0}.assertTrue(true);",
    "hollow": "Object same = new Object(); {0}.assertEquals(same, same);",
    "recogniser": (
        "if (Thread.currentThread().getContextClassLoader() != ClassLoader.getSystemClassLoader()) "
        "{{ throw new IllegalStateException(); }}"
    ),
}
"""Assert that true is true, compare a value with itself, fail in the loaders in which mutants share a JVM. Target
methods take turns."""


def idiom_of(file: JavaFile, method: JavaMethod) -> Idiom:
    """How a test method is declared, by its annotations and the imports of its file."""
    names = [annotation.rsplit(".", 1)[-1] for annotation in method.annotations]
    if _JUPITER_ONLY & set(names):
        return "jupiter"
    if "Test" not in names and "Theory" not in names:
        # Only Jupiter has annotations that others are composed of.
        return "jupiter" if set(names) - _OF_ANY_METHOD and _names_jupiter(file) else "junit3"
    written = next((one for one in method.annotations if "." in one), "")
    jupiter = "org.junit.jupiter" in written or (
        not written
        and "org.junit.Test" not in file.imports
        and any(name.startswith("org.junit.jupiter.api.") for name in file.imports)
    )
    return "jupiter" if jupiter else "junit4"


def _names_jupiter(file: JavaFile) -> bool:
    return any(name.removeprefix("static ").startswith("org.junit.jupiter.") for name in file.imports)


def header_of(file: JavaFile, owner: JavaType, method: JavaMethod) -> str:
    """Annotation, modifiers and name of a plain test without parameters, whatever the original takes or expects."""
    idiom = idiom_of(file, method)
    annotation = {"junit3": "", "junit4": "@org.junit.Test ", "jupiter": "@org.junit.jupiter.api.Test "}[idiom]
    visible = "default" if owner.kind == "interface" else "public"
    return f"{annotation}{visible} void {method.key.name}()"


def minimal_file(task: Task, gold: bytes, kinds: Sequence[str] = tuple(BODIES)) -> str:
    """A file with the target methods of a task, each of which checks nothing: keys of `BODIES` take turns.

    It depends on nothing but JUnit, so that it compiles on the old code as on the new one.
    """
    file = parse_java(gold, task.test_file, task.compiled_as)
    types = {type.name: type for type in file.types}
    members: dict[str, dict[str, str]] = {}
    start = hashlib.sha256(task.task_id.encode()).digest()[0]
    for position, method in enumerate(target_methods(task, gold), start):
        owner = types[method.key.type_name]
        body = BODIES[kinds[position % len(kinds)]].format(ASSERTIONS[idiom_of(file, method)])
        members.setdefault(owner.name, {})[method.key.name] = f"{header_of(file, owner, method)} {{ {body} }}\n"
        _require_outer(owner.name, members)
    idioms = {idiom_of(file, method) for method in target_methods(task, gold)}
    package = f"package {file.package};\n\n" if file.package else ""
    tops = [name for name in members if "$" not in name]
    return package + "\n".join(_type(types[name], types, members, "junit3" in idioms, idioms) for name in tops)


def _require_outer(name: str, members: dict[str, dict[str, str]]) -> None:
    while "$" in name:
        name = name.rsplit("$", 1)[0]
        members.setdefault(name, {})


def _type(
    type: JavaType, types: dict[str, JavaType], members: dict[str, dict[str, str]], old: bool, idioms: set[Idiom]
) -> str:
    inner = [name for name in members if name.rsplit("$", 1)[0] == type.name and name != type.name]
    body = "".join(members[type.name].values()) + "".join(
        _type(types[name], types, members, old, idioms) for name in inner
    )
    nested = "$" in type.name
    shape = "interface" if type.kind == "interface" else "class"
    if nested and "jupiter" in idioms and "static" not in type.modifiers and shape == "class":
        start = "@org.junit.jupiter.api.Nested class"
    elif nested:
        start = f"public static {shape}"
    else:
        start = f"public {shape}" if "public" in type.modifiers else shape
    base = " extends junit.framework.TestCase" if old and shape == "class" else ""
    return f"{start} {type.simple_name}{base} {{\n{body}}}\n"

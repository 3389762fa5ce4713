"""Random histories in which tests change their class, their annotations, their kind and their place."""

import copy
import random
from collections.abc import Callable
from dataclasses import dataclass, field

from mined_texts import Tree

METHODS = 4
ANNOTATIONS = {
    "plain": "@org.junit.jupiter.api.Test",
    "junit4": "@org.junit.Test",
    "parameterised": "@org.junit.jupiter.params.ParameterizedTest",
    "repeated": "@org.junit.jupiter.api.RepeatedTest(2)",
    "factory": "@org.junit.jupiter.api.TestFactory",
    "composed": "@p.Often",
    "none": "",
}
COMPOSED = "package p;\n@org.junit.jupiter.api.Test\npublic @interface Often {}\n"


@dataclass
class Method:
    """A method of a test class."""

    name: str
    annotation: str = "plain"
    parameters: str = ""
    calls: list[int] = field(default_factory=lambda: [0])
    disabled: bool = False
    static: bool = False
    spaces: int = 1

    def text(self, in_interface: bool) -> str:
        disabled = "@org.junit.jupiter.api.Disabled " if self.disabled else ""
        returns = "Object" if self.annotation == "factory" else "void"
        shown = "default" if in_interface else "public static" if self.static else "public"
        calls = " ".join(f"Code.m{number}();" for number in self.calls)
        body = f"{calls}{' ' * self.spaces}helper();" if self.name.endswith("2") else calls
        return f"{disabled}{ANNOTATIONS[self.annotation]} {shown} {returns} {self.name}({self.parameters}) {{ {body} }}"


@dataclass
class Type:
    """A test class, an abstract one, or an interface with default tests."""

    name: str
    package: str = "p"
    module: str = ""
    kind: str = "class"
    base: str = ""
    interfaces: list[str] = field(default_factory=list)
    annotations: list[str] = field(default_factory=list)
    methods: list[Method] = field(default_factory=list)
    nested: list["Type"] = field(default_factory=list)
    broken: bool = False

    @property
    def path(self) -> str:
        prefix = f"{self.module}/" if self.module else ""
        return f"{prefix}src/test/java/{self.package}/{self.name}.java"

    def text(self) -> str:
        broken = "class {" if self.broken else ""
        return f"package {self.package};\nimport p.*;\n\n{self.declaration('public')}{broken}"

    def declaration(self, shown: str) -> str:
        kind = "abstract class" if self.kind == "abstract" else self.kind
        bases = f" extends {self.base}" if self.base and self.kind != "interface" else ""
        word = "extends" if self.kind == "interface" else "implements"
        bases += f" {word} {', '.join(self.interfaces)}" if self.interfaces else ""
        members = [method.text(self.kind == "interface") for method in self.methods]
        members += [inner.declaration("static" if inner.kind == "interface" else "") for inner in self.nested]
        body = "\n".join(f"    {member}" for member in members)
        return f"{' '.join(self.annotations)}\n{shown} {kind} {self.name}{bases} {{\n{body}\n}}\n"


class Project:
    """What a commit holds; `change` makes the next one."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.modules = self.random.choice([[""], [""], ["a", "b"]])
        self.values = [0] * METHODS
        self.has = [True] * METHODS
        self.types: list[Type] = []
        for number in range(self.random.randint(2, 4)):
            self.types.append(self._new_type(f"T{number}"))
        self.types[0].kind = "abstract"
        for one in self.types[1:]:
            one.base = self.random.choice(["", self.types[0].name])

    def tree(self) -> Tree:
        code = " ".join(
            f"public static int m{number}() {{ return {value}; }}"
            for number, value in enumerate(self.values)
            if self.has[number]
        )
        first = f"{self.modules[0]}/" if self.modules[0] else ""
        files = {
            f"{first}src/main/java/p/Code.java": f"package p;\npublic class Code {{ {code} }}\n",
            f"{first}src/test/java/p/Often.java": COMPOSED,
        }
        files |= {f"{module}/pom.xml": "<project/>" for module in self.modules if module}
        return files | {one.path: one.text() for one in self.types}

    def change(self) -> None:
        """A few random steps; mostly with a change of the code, as candidates need one."""
        for number in self.random.sample(range(METHODS), self.random.choice([0, 1, 2, 2, 3])):
            self.values[number] += 1
        for _ in range(self.random.randint(1, 4)):
            self.random.choice(STEPS)(self)

    # What steps choose from.

    def a_type(self) -> Type:
        if not self.types:
            self.types.append(self._new_type("T0"))
        return self.random.choice(self.types)

    def a_class_body(self) -> Type:
        chosen = self.a_type()
        return self.random.choice([chosen, *chosen.nested])

    def a_method(self) -> tuple[Type, Method]:
        owner = self.a_class_body()
        if not owner.methods:
            owner.methods.append(self._new_method(owner))
        return owner, self.random.choice(owner.methods)

    def _new_type(self, name: str) -> Type:
        made = Type(name, module=self.random.choice(self.modules))
        made.methods = [self._new_method(made) for _ in range(self.random.randint(2, 4))]
        return made

    def _new_method(self, owner: Type) -> Method:
        taken = {method.name for method in owner.methods}
        name = self.random.choice([one for one in (f"test{n}" for n in range(6)) if one not in taken] or ["testMore"])
        annotation = self.random.choice([*ANNOTATIONS, *["plain", "junit4"] * 4])
        calls = [self.random.randrange(METHODS) for _ in range(self.random.choice([0, 1, 2, 3]))]
        return Method(name, annotation, "int n" if annotation == "parameterised" else "", calls)

    # The steps.

    def edit_body(self) -> None:
        self.a_method()[1].calls.append(self.random.randrange(METHODS))

    def edit_spaces(self) -> None:
        self.a_method()[1].spaces += 1

    def change_annotation(self) -> None:
        self.a_method()[1].annotation = self.random.choice(list(ANNOTATIONS))

    def gain_or_lose_the_annotation(self) -> None:
        method = self.a_method()[1]
        method.annotation = "plain" if method.annotation == "none" else "none"

    def disable(self) -> None:
        method = self.a_method()[1]
        method.disabled = not method.disabled

    def make_static(self) -> None:
        method = self.a_method()[1]
        method.static = not method.static

    def take_parameters(self) -> None:
        self.a_method()[1].parameters = self.random.choice(["", "int n", "String s", "int[] n, String s"])

    def pull_up(self) -> None:
        owner, method = self.a_method()
        base = self._base_of(owner)
        owner.methods.remove(method)
        base.methods = [one for one in base.methods if one.name != method.name] + [method]

    def push_down(self) -> None:
        base, method = self.a_method()
        heirs = [one for one in self.types if base.name in (one.base, *one.interfaces)]
        if heirs:
            base.methods.remove(method)
        for heir in heirs:
            heir.methods = [one for one in heir.methods if one.name != method.name] + [copy.deepcopy(method)]

    def override(self) -> None:
        heir = self.a_type()
        base = self._base_of(heir)
        if base.methods:
            taken = copy.deepcopy(self.random.choice(base.methods))
            taken.calls = taken.calls + [self.random.randrange(METHODS)] * self.random.randint(0, 1)
            heir.methods = [one for one in heir.methods if one.name != taken.name] + [taken]

    def overload(self) -> None:
        owner, method = self.a_method()
        if not any(one.name == method.name and one.parameters == "String s" for one in owner.methods):
            owner.methods.append(Method(method.name, method.annotation, "String s", list(method.calls)))

    def add_method(self) -> None:
        owner = self.a_class_body()
        owner.methods.append(self._new_method(owner))

    def delete_method(self) -> None:
        owner, method = self.a_method()
        owner.methods.remove(method)

    def rename_method(self) -> None:
        self.a_method()[1].name += self.random.choice(["x", "2"])

    def rename_class(self) -> None:
        one = self.a_type()
        old, one.name = one.name, f"{one.name}R"
        if self.random.random() < 0.7:
            for other in self.types:
                other.base = one.name if other.base == old else other.base

    def move_package(self) -> None:
        one = self.a_type()
        one.package = "q" if one.package == "p" else "p"

    def move_module(self) -> None:
        self.a_type().module = self.random.choice(self.modules)

    def copy_to_module(self) -> None:
        self.types.append(copy.deepcopy(self.a_type()))
        self.types[-1].module = self.modules[-1]
        self._forget_copies()

    def add_class(self) -> None:
        self.types.append(self._new_type(f"T{self.random.randint(4, 9)}"))
        self.types[-1].base = self.random.choice(["", self.types[0].name])
        self._forget_copies()

    def delete_class(self) -> None:
        if len(self.types) > 1:
            self.types.remove(self.a_type())

    def change_kind(self) -> None:
        self.a_class_body().kind = self.random.choice(["class", "abstract", "interface", "class"])

    def implement(self) -> None:
        one, other = self.a_type(), self.a_type()
        one.interfaces = [] if one.interfaces else [other.name]

    def change_base(self) -> None:
        self.a_class_body().base = self.random.choice(
            ["", self.a_type().name, "junit.framework.TestCase", "lib.Unknown", self.types[0].name]
        )

    def nest(self) -> None:
        outer = self.a_class_body()
        if len(outer.nested) < 2:
            inner = self._new_type(f"Inner{len(outer.nested)}")
            inner.annotations = ["@org.junit.jupiter.api.Nested"]
            outer.nested.append(inner)

    def toggle_nested(self) -> None:
        one = self.a_class_body()
        one.annotations = [] if one.annotations else ["@org.junit.jupiter.api.Nested"]

    def parameterise_class(self) -> None:
        one = self.a_type()
        runner = "@org.junit.runner.RunWith(org.junit.runners.Parameterized.class)"
        one.annotations = [] if one.annotations else [runner]

    def add_or_delete_code(self) -> None:
        number = self.random.randrange(METHODS)
        self.has[number] = not self.has[number]

    def break_file(self) -> None:
        one = self.a_type()
        one.broken = not one.broken

    def _base_of(self, heir: Type) -> Type:
        if not heir.base:
            heir.base = self.random.choice(self.types).name
        found = next((one for one in self.types if one.name == heir.base and one is not heir), None)
        if found is None:
            found = Type(heir.base if "." not in heir.base else "Made", module=heir.module, kind="abstract")
            heir.base = found.name
            self.types.append(found)
            self._forget_copies()
        return found

    def _forget_copies(self) -> None:
        self.types = list({one.path: one for one in self.types}.values())


STEPS: list[Callable[[Project], None]] = [
    *[Project.edit_body] * 10,
    Project.edit_spaces,
    Project.change_annotation,
    Project.gain_or_lose_the_annotation,
    Project.gain_or_lose_the_annotation,
    Project.disable,
    Project.make_static,
    Project.take_parameters,
    Project.pull_up,
    Project.pull_up,
    Project.push_down,
    Project.override,
    Project.overload,
    *[Project.add_method] * 5,
    Project.delete_method,
    Project.rename_method,
    Project.rename_class,
    Project.move_package,
    Project.move_module,
    Project.copy_to_module,
    Project.add_class,
    Project.delete_class,
    Project.change_kind,
    Project.implement,
    Project.change_base,
    Project.nest,
    Project.toggle_nested,
    Project.parameterise_class,
    Project.add_or_delete_code,
    Project.break_file,
]


def random_history(seed: int) -> list[Tree]:
    """The trees of three to five commits; equal seeds give equal histories."""
    project = Project(seed)
    trees = [project.tree()]
    for _ in range(project.random.randint(2, 4)):
        project.change()
        trees.append(project.tree())
    return trees

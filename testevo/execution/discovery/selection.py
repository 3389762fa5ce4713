"""Selectors of test methods, with parameter types taken from byte code.

JUnit selects a method with parameters only by fully qualified erased types; records hold erased simple names.
"""

from testevo.builds.classes.class_files import ClassPath
from testevo.java.signatures import parameters_of_descriptor, qualified_parameters
from testevo.records.methods import TestKey


def method_selector(test: TestKey, classes: ClassPath) -> str:
    """`a.b.C#name(java.lang.String,int)` for the launcher.

    The method is looked up in the class it runs in and in its super types. A method that byte code does not have keeps
    its parameters as recorded: the launcher then finds no such test, and says so. A test without recorded parameters
    whose only overload has some (a name that came from a report without types) selects that overload.
    """
    named = [
        method
        for found in classes.hierarchy(test.type_name)
        for method in found.methods
        if method.name == test.name and not method.synthetic
    ]
    exact = [method for method in named if parameters_of_descriptor(method.descriptor) == test.parameters]
    chosen = exact or ([named[0]] if not test.parameters and len({m.descriptor for m in named}) == 1 else [])
    parameters = qualified_parameters(chosen[0].descriptor) if chosen else test.parameters
    return f"{test.type_name}#{test.name}({','.join(parameters)})"

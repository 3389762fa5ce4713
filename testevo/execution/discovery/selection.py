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
    named = (
        method.descriptor
        for found in classes.hierarchy(test.type_name)
        for method in found.methods
        if method.name == test.name and not method.synthetic
    )
    parameters, others = test.parameters, set[str]()
    for descriptor in named:
        if parameters_of_descriptor(descriptor) == test.parameters:
            parameters = qualified_parameters(descriptor)
            break  # before a jar is opened to look for super types
        others.add(descriptor)
    else:
        if not test.parameters and len(others) == 1:
            parameters = qualified_parameters(others.pop())
    return f"{test.type_name}#{test.name}({','.join(parameters)})"

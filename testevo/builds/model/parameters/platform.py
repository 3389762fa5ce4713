"""Configuration parameters of the JUnit Platform, which Surefire gets in its parameter `properties`.

Surefire reads the text as `java.util.Properties` and hands each entry to the request for tests; it sets none of its
own. See its page "Using JUnit 5 Platform", section "Configuration Parameters". The launcher reads the same text.
"""

import re

from testevo.builds.model.build_record import Element

_NAME = "configurationParameters"
_NEEDS_SUREFIRE = ("\\", "${", "parallel")
"""Escapes, which may hide the last word; what Maven fills in while it runs; and the parallel runs of an engine, which
the launcher switches off."""
_PARALLEL = re.compile(r"junit\.\w+\.execution\.parallel\.enabled")


def configuration_parameters(properties: Element | None) -> tuple[str, ...] | None:
    """The lines of the text; none where `properties` is empty.

    Args:
        properties: the parameter of Surefire; None where a POM has none.

    Returns:
        None when the launcher does not implement what it holds.
    """
    if properties is None or not (properties.children or properties.text):
        return ()
    entries = [_entry(one) for one in properties.children]
    if properties.attributes or len(entries) != 1 or entries[0] is None:
        return None
    name, text = entries[0]
    if name != _NAME or not text or any(mark in text.lower() for mark in _NEEDS_SUREFIRE):
        return None
    lines = text.split("\n")
    is_nameless = any(line.lstrip().startswith(("=", ":")) for line in lines)
    return None if is_nameless else tuple(lines)


def runs_in_parallel(name: str, value: str) -> bool:
    """Whether a parameter, or the system property of its name, lets an engine run tests in parallel."""
    return _PARALLEL.fullmatch(name) is not None and value.strip().lower() == "true"


def _entry(element: Element) -> tuple[str, str] | None:
    """Name and value in one of the two forms that Maven knows; None for any other."""
    if element.attributes or any(one.attributes or one.children for one in element.children):
        return None
    if element.name != "property":
        return None if element.children else (element.name, element.text)
    parts = [(one.name, one.text) for one in element.children]
    return (parts[0][1], parts[1][1]) if [name for name, _ in parts] == ["name", "value"] else None

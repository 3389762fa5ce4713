"""Categories of JUnit 4, by which `groups` and `excludedGroups` choose tests: those that the launcher knows.

With either parameter Surefire takes its provider for JUnit 4.7 and later, and filters by its own rules: the class
`GroupMatcherCategoryFilter` of its module `common-junit48`.
"""

import re

FIRST = (2, 22, 0)
"""Version of Surefire; an older one fails where a category is no class."""
FIRST_WITH_INHERITED = (3, 0, 0, 5)
"""3.0.0-M5 reads the categories of superclasses only where JUnit inherits them, and then all, for classes too."""
FIRST_JUNIT = (4, 8)
"""Has categories; with an older one Surefire runs all tests."""
_NAME = re.compile(r"[A-Za-z_]\w*(?:[.$]\w+)*", re.ASCII)
_WORDS = ("and", "or", "not")
"""Of Surefire's expressions."""


def are_categories(value: str) -> bool:
    """Whether a value is a list of class names: no expression, and nothing that Surefire's parser passes over."""
    names = [name.strip() for name in value.split(",")]
    return all(_NAME.fullmatch(name) and name.lower() not in _WORDS for name in names)

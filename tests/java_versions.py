"""The JDKs that a test runs on: all of this machine, and JDK 8, which half of the released repositories need.

More of them are named as for `testevo` itself: `JAVA_HOME_8=<folder>`, `JAVA_HOME_11=<folder>`, ...
"""

import pytest

from testevo.builds.project.jdks import find_jdks

OLDEST = 8

_FOUND = {jdk.feature: jdk for jdk in reversed(find_jdks())}
_MISSING = pytest.mark.skip(reason=f"no JDK {OLDEST} here; name one in JAVA_HOME_{OLDEST}")


def _marks(feature: int) -> tuple[pytest.MarkDecorator, ...]:
    """Those that `.ci/older_jdks` chooses by, and skips what no JDK is here for."""
    return () if feature != OLDEST else (pytest.mark.jdk8,) if feature in _FOUND else (pytest.mark.jdk8, _MISSING)


JDKS = [
    pytest.param(_FOUND.get(feature), id=str(feature), marks=_marks(feature)) for feature in sorted({OLDEST, *_FOUND})
]
"""One parameter for each Java version."""

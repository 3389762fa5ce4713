"""The JDKs that a test runs on: all of this machine, and JDK 8, which half of the released repositories need.

More of them are named as for `testevo` itself: `JAVA_HOME_8=<folder>`, `JAVA_HOME_11=<folder>`, ...
"""

import pytest

from testevo.builds.project.jdks import find_jdks

OLDEST = 8

_FOUND = {jdk.feature: jdk for jdk in reversed(find_jdks())}
_MISSING = pytest.mark.skip(reason=f"no JDK {OLDEST} here; name one in JAVA_HOME_{OLDEST}")

JDKS = [
    *([] if OLDEST in _FOUND else [pytest.param(None, id=str(OLDEST), marks=_MISSING)]),
    *(pytest.param(jdk, id=str(feature)) for feature, jdk in sorted(_FOUND.items())),
]
"""One parameter for each Java version."""

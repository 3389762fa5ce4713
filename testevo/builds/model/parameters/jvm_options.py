"""Words of `argLine` and names of system properties with which the launcher starts the JVM that Surefire starts.

Surefire splits the line at spaces outside of quotes, and knows no escapes. It sets properties of its other parameters
when the JVM runs already, so that what a JVM reads at its start has no effect from there.
"""

import re
from collections.abc import Iterable, Sequence

_PLAIN = re.compile(r"""(?:[^\s'"\\$`]|'[^'"\\$`\r\n]*'|"[^'"\\$`\r\n]*"|\s)*""")
_VALUE = r"[\w.][\w.$/,-]*(=[\w.,-]+)?"
_WITH_VALUE = ("--add-opens", "--add-exports", "--add-reads", "--add-modules")
_KNOWN = re.compile(
    r"-D[^=]+(=.*)?|-X(mx|ms|mn|ss)\d+\w?|-XX:[+-]?\w+(=[^;]*)?|-javaagent:.+|-(ea|enableassertions)(:.*)?"
    r"|-esa|-enablesystemassertions|-server|-client|-noverify|-Xverify:\w+|-Xshare:\w+|-Xint|-Xcomp|-Xmixed|-Xbatch|-Xrs"
    rf"|-Xbootclasspath/a:.+|--enable-preview|--(add-(opens|exports|reads|modules)|enable-native-access|illegal-access)="
    rf"{_VALUE}"
)
_AT_START = re.compile(
    r"user\.(language|country|region|script|variant|timezone|dir|name)(\..*)?|(file|path|line)\.separator|file\.encoding"
    r"|(native|stdin|stdout|stderr)\.encoding|(sun|jdk|os|awt)\..*"
    r"|java\.(home|version|vm|specification|vendor|runtime|compiler|class|library|ext|endorsed|system|locale|lang)(\..*)?"
    r"|java\.security\.(manager|properties|debug)|java\.net\.\w+|java\.util\.(concurrent|stream|spi)\..*"
)

_TEMPORARY = "java.io.tmpdir"
FIRST_WITH_FIXED_TEMPORARY = 12
"""Version of the JDK whose JVM reads where its temporary files go once, at its start."""
_READ_BY_JVMS = ("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS", "LC_ALL")
"""Environment variables in which a JVM looks for options, or for the locale and the encoding that the launcher names
in options."""


def is_plain(line: str) -> bool:
    """Whether a line has no escapes, no signs of a shell, no quotes in quotes."""
    return _PLAIN.fullmatch(line) is not None


def unknown_option(words: Sequence[str]) -> str | None:
    """The first word that is not known to do the same for the launcher's JVM."""
    position = 0
    while position < len(words):
        word = words[position]
        if word in _WITH_VALUE and position + 1 < len(words) and re.fullmatch(_VALUE, words[position + 1]):
            position += 1
        elif not _KNOWN.fullmatch(word):
            return word
        position += 1
    return None


def read_at_start(name: str, jdk: int) -> bool:
    """Whether a JVM of this feature version may read a system property before Surefire would set it."""
    is_fixed = name == _TEMPORARY and jdk >= FIRST_WITH_FIXED_TEMPORARY
    return is_fixed or _AT_START.fullmatch(name) is not None


def read_by_jvms(names: Iterable[str]) -> str | None:
    """The first environment variable that a JVM itself reads, and would read otherwise than beside the launcher's
    options."""
    return next((name for name in sorted(names) if name in _READ_BY_JVMS), None)

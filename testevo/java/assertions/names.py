"""Names of the assertions of test libraries, by what they say."""

import re
from typing import Final

EQUALITIES: Final = frozenset(
    {"assertEquals", "assertArrayEquals", "assertSame", "assertNull", "assertIterableEquals", "assertLinesMatch"}
)
CONDITIONS: Final = frozenset({"assertNotEquals", "assertNotSame", "assertInstanceOf"})
PRESENCES: Final = frozenset(
    {"assertNotNull", "assertDoesNotThrow", "assertTimeout", "assertTimeoutPreemptively", "assertThatNoException"}
)
CHAIN_STARTS: Final = frozenset(
    {
        "assertThat",
        "assertThatThrownBy",
        "assertThatExceptionOfType",
        "assertThatCode",
        "assertThatObject",
        "assertThatIllegalArgumentException",
        "assertThatIllegalStateException",
        "assertThatNullPointerException",
        "assertThatIOException",
        "assertThatRuntimeException",
        "assertWithMessage",
    }
)
CHAIN_SETTINGS: Final = frozenset(
    {
        "as",
        "describedAs",
        "withFailMessage",
        "overridingErrorMessage",
        "withRepresentation",
        "extracting",
        "element",
        "first",
        "last",
        "singleElement",
        "asString",
        "asList",
        "asInstanceOf",
        "usingRecursiveComparison",
        "usingComparator",
        "usingElementComparator",
        "usingDefaultComparator",
        "ignoringFields",
        "ignoringCase",
        "inHexadecimal",
        "map",
        "flatMap",
        "filteredOn",
        "withinPercentage",
        "cause",
        "rootCause",
        "message",
        "get",
        "size",
        "and",
        "that",
        "withStrictTypeChecking",
        "ignoringCollectionOrder",
    }
)
"""Links of a chain that check nothing, or next to nothing, themselves."""
CHAIN_WEAK: Final = frozenset(
    {
        "isNotNull",
        "isInstanceOf",
        "isInstanceOfAny",
        "isNotEmpty",
        "isNotBlank",
        "isPresent",
        "isNotPresent",
        "doesNotThrowAnyException",
        "isIn",
        "exists",
    }
)
CHAIN_CONDITIONS: Final = frozenset(
    {
        "isNotEqualTo",
        "isNotSameAs",
        "contains",
        "containsAnyOf",
        "doesNotContain",
        "startsWith",
        "endsWith",
        "matches",
        "hasSize",
        "hasSizeGreaterThan",
        "isGreaterThan",
        "isGreaterThanOrEqualTo",
        "isAtLeast",
        "isLessThan",
        "isAtMost",
        "isLessThanOrEqualTo",
        "isPositive",
        "isNegative",
        "isNotZero",
        "isBetween",
        "isCloseTo",
        "satisfies",
        "containsMatch",
        "isNotIn",
        "hasMessageContaining",
        "messageContains",
    }
)
OF_LIBRARIES: Final = frozenset(
    {
        *EQUALITIES,
        *CONDITIONS,
        *PRESENCES,
        *CHAIN_STARTS,
        "assertAll",
        "assertFalse",
        "assertThrows",
        "assertThrowsExactly",
        "assertTrue",
        "expect",
        "fail",
        "verify",
        "verifyNoInteractions",
        "verifyNoMoreInteractions",
        "verifyZeroInteractions",
    }
)
"""Assertions that a test does not declare itself."""
MATCHERS_WRAPPING: Final = frozenset({"is", "describedAs", "both", "either", "allOf"})
BROAD_EXCEPTIONS: Final = frozenset({"Throwable", "Exception", "RuntimeException", "Error"})
_LIKE_ASSERTIONS: Final = re.compile(r"(?:assert|verify|check|expect|ensure|validate|should|test|fail)(?![a-z])\w*")
_CLASSES: Final = re.compile(r"(?:\w*Assert\w*|TestCase|Truth\w*|Mockito|BDDMockito|Verify\w*|this|super)")


def is_named_like_assertion(name: str) -> bool:
    return _LIKE_ASSERTIONS.fullmatch(name) is not None


def is_assertion_class(name: str) -> bool:
    """Whether a receiver as written is a class of assertions, or the test itself."""
    return _CLASSES.fullmatch(name) is not None

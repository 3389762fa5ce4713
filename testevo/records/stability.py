"""What repeated runs vary (TEB-X15)."""

from testevo.records.base import DocumentedEnum


class Axis(DocumentedEnum):
    """What a repeated run varies."""

    TIME_ZONE = "time_zone", "another time zone: St. John's (UTC-3:30) or Chatham (UTC+12:45)"
    LOCALE = "locale", "another language and country: Turkish or German"
    HASH = "hash", "another sequence of identity hash codes, by which unordered collections iterate otherwise"
    ORDER = "order", "behind all other tests of its class, in their JVM and working folder"
    LOAD = "load", "byte code is interpreted and one processor seen, many times slower, as on a busy machine"
    DATE = "date", "days to months later, by libfaketime"
    JDK = "jdk", "the next newer JDK of the machine, with the same class files"

"""Forms of JSON values: each checks a value and says what in it is not allowed.

What a form does not name is refused, so that a field that a provider adds later opens nothing.
"""

from collections.abc import Callable, Mapping
from typing import Any

Form = Callable[[Any, str], str | None]
"""Why a value at a place is refused, None where it is not."""
_SCALARS = (str, int, float, bool, type(None))


def plain(value: Any, place: str) -> str | None:
    """A text, number or truth value, or a list of such."""
    values = value if isinstance(value, list) else [value]
    return None if all(isinstance(one, _SCALARS) for one in values) else f"{place} is no plain value"


def anything(value: Any, place: str) -> str | None:
    """Any value: of schemas and arguments of the agent's own tools, which the provider only hands to the model."""
    return None


def one_of(*allowed: object) -> Form:
    """Only these values."""

    def check(value: Any, place: str) -> str | None:
        if any(value is one or (value == one and type(value) is type(one)) for one in (None, *allowed)):
            return None
        return f"{place} is {_shown(value)}, and only {', '.join(map(_shown, allowed))} is allowed"

    return check


def data_address(value: Any, place: str) -> str | None:
    """A picture or file in the request itself, never an address that the provider would fetch."""
    if isinstance(value, str) and value.startswith("data:"):
        return None
    return f"{place} is an address that the provider would read; this run has no network"


def fields(allowed: Mapping[str, Form], *, name_of: Callable[[str], str] = str) -> Form:
    """An object with no other fields. A field without a value is as good as none.

    Args:
        name_of: the name in `allowed` of a field, where a protocol has two spellings.
    """

    def check(value: Any, place: str) -> str | None:
        if not isinstance(value, dict):
            return f"{place or 'the request'} is no object"
        for name, one in value.items():
            if one is None:
                continue
            form, where = allowed.get(name_of(name)), f"{place}.{name}" if place else name
            if form is None:
                return f"the field {where[:200]} is not on the list of what a run may ask of its model"
            if reason := form(one, where):
                return reason
        return None

    return check


def items(form: Form) -> Form:
    """A list."""

    def check(value: Any, place: str) -> str | None:
        if not isinstance(value, list):
            return f"{place} is no list"
        found = (form(one, f"{place}[{number}]") for number, one in enumerate(value))
        return next((reason for reason in found if reason), None)

    return check


def text_or(form: Form) -> Form:
    """A text, or what the form says."""
    return lambda value, place: None if isinstance(value, str) else form(value, place)


def by_type(forms: Mapping[str, Form], refused: str, *, default: str = "") -> Form:
    """An object whose field `type` says its form.

    Args:
        refused: what to say of another type: `{}` is the type.
        default: the type of an object without the field.
    """

    def check(value: Any, place: str) -> str | None:
        if not isinstance(value, dict):
            return f"{place} is no object"
        kind = value.get("type") or default
        form = forms.get(kind) if isinstance(kind, str) else None
        return f"{place}: {refused.format(_shown(kind))}" if form is None else form(value, place)

    return check


def _shown(value: object) -> str:
    text = value if isinstance(value, str) else repr(value)
    return text[:100]


HOSTED_TOOL = "the tool {} runs at the provider, with a network; this run has none"
PART = "parts of the type {} are not on the list of what a run may send to its model"

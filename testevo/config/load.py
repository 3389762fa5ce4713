"""Reading a configuration: defaults, then the preset's rules, then the file, then the command line.

Unknown keys are errors that suggest the nearest known one.
"""

import difflib
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, get_origin

from pydantic import BaseModel, ValidationError

from testevo.config.model import Config
from testevo.config.rules import Rules
from testevo.records.repository import SourceKind
from testevo.runtime.errors import UsageError
from testevo.runtime.files.json_and_yaml import parsed_yaml
from testevo.runtime.files.project import PROJECT
from testevo.runtime.refused_input import in_files

PASSWORD = re.compile(r"://[^/@\s:]*:[^/@\s]+@")
"""Or a token, before the host of an address."""
PRESETS = PROJECT / "config" / "presets"


def read_yaml(path: Path) -> dict[str, Any]:
    """A YAML file that holds a mapping.

    Raises:
        UsageError: unreadable, malformed, or no mapping.
    """
    try:
        value = parsed_yaml(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{path} cannot be read: {error}. Give an existing YAML file.") from error
    except ValueError as error:
        raise UsageError(f"{path} is not valid YAML: {error}. Fix the file.") from error
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise UsageError(f"{path} holds a {type(value).__name__}, not keys and values. See config/config.default.yaml.")
    return value


def load_config(given: Mapping[str, Any], *, origin: str = "the configuration") -> Config:
    """The whole typed configuration from the keys that a user gave.

    Args:
        given: nested keys and values as in `config/config.default.yaml`; all optional.
        origin: what to call the input in messages, for example its path.

    Raises:
        UsageError: an unknown key (with the nearest known one), a value out of range, an unknown preset, a password.
    """
    refuse_passwords(given)
    preset = given.get("preset", Config.model_fields["preset"].default)
    merged = merge(read_yaml(preset_file(str(preset))), given)
    try:
        return Config.model_validate(merged)
    except ValidationError as error:
        raise UsageError(f"{origin}: {describe(error)}") from error


def refuse_passwords(value: object, key: str = "", above: tuple[int, ...] = ()) -> None:
    """Refuse passwords in addresses: the configuration is written into records, logs and command lines.

    Args:
        value: all of a configuration, or the part of it at `key`.
        above: identities of the parts that it lies in.

    Raises:
        UsageError: there is one, or a part lies in itself, as an alias of YAML can have it; the message names the key
            alone.
    """
    if id(value) in above:
        raise UsageError(f"{key} refers to a part of the file that it lies in. Write its value out.")
    if isinstance(value, Mapping):
        for name, inner in value.items():
            refuse_passwords(inner, f"{key}.{name}" if key else str(name), (*above, id(value)))
    elif isinstance(value, list | tuple):
        for number, inner in enumerate(value):
            refuse_passwords(inner, f"{key}.{number}", (*above, id(value)))
    elif isinstance(value, str) and PASSWORD.search(value):
        raise UsageError(
            f"{key} holds a password, which records and logs would show. Leave it out, and give it to git or Maven: "
            "see `git help credentials`, or add a server to your own Maven settings."
        )


def preset_file(name: str) -> Path:
    known = sorted(path.stem for path in PRESETS.glob("*.yaml"))
    if name not in known:
        raise UsageError(f"preset {name!r} does not exist{nearest(name, known)} Known presets: {', '.join(known)}.")
    return PRESETS / f"{name}.yaml"


def merge(below: Mapping[str, Any], above: Mapping[str, Any], key: str = "") -> dict[str, Any]:
    """Nested mappings merged key by key; whatever `above` says wins.

    Args:
        key: of the part of a configuration that both are.

    Raises:
        UsageError: something without keys lies below keys and values, which would hide it.
    """
    merged = dict(below)
    for name, value in above.items():
        old, inner = merged.get(name), f"{key}.{name}" if key else str(name)
        if isinstance(value, Mapping) and old is not None and not isinstance(old, Mapping):
            raise UsageError(describe_one("dict_type", [inner], "", old))
        merged[name] = merge(old, value, inner) if isinstance(old, Mapping) and isinstance(value, Mapping) else value
    return merged


def rules_for(config: Config, source: SourceKind) -> Rules:
    """The rules of one repository: releases lie months apart, so the time gap does not apply to them."""
    if source is not SourceKind.RELEASES:
        return config.rules
    return config.rules.model_copy(update={"pairs": config.rules.pairs.model_copy(update={"gap_hours": None})})


def describe(error: ValidationError) -> str:
    """All defects in one message, each with its key, the reason and the next step."""
    return " ".join(describe_one(item["type"], item["loc"], item["msg"], item["input"]) for item in error.errors())


def describe_one(kind: str, location: Sequence[int | str], message: str, value: object) -> str:
    key = ".".join(str(part) for part in location)
    if kind == "extra_forbidden":
        known = known_keys(location[:-1])
        return f"unknown key {key}{nearest(str(location[-1]), known)} See docs/configuration.md."
    return f"{key} = {value!r}: {in_files(kind, message)}. See docs/configuration.md."


def nearest(name: str, known: Sequence[str]) -> str:
    close = difflib.get_close_matches(name, known, n=1, cutoff=0.5)
    return f"; did you mean {close[0]}?" if close else "."


def known_keys(location: Sequence[int | str]) -> list[str]:
    """The keys allowed at a place of the configuration."""
    section: Any = Config
    is_name = False
    for part in location:
        if isinstance(part, int) or is_name or not (isinstance(section, type) and issubclass(section, BaseModel)):
            is_name = False
            continue
        annotation = section.model_fields[part].annotation
        is_name = _is_mapping(annotation)
        section = element_type(annotation)
    return sorted(section.model_fields) if isinstance(section, type) and issubclass(section, BaseModel) else []


def _is_mapping(annotation: Any) -> bool:
    """Whether a value of this type has keys that users choose, such as the names of systems."""
    origin = get_origin(annotation)
    return isinstance(origin, type) and issubclass(origin, Mapping)


def element_type(annotation: Any) -> Any:
    """`X` for `X`, `tuple[X, ...]`, `dict[str, X]` and `X | None`."""
    for argument in getattr(annotation, "__args__", ()):
        if isinstance(argument, type) and issubclass(argument, BaseModel):
            return argument
    return annotation

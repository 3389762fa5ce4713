"""Parse JSON and YAML, also what others wrote to do harm."""

import json
from typing import Any

import yaml

_FRAMES_TO_WRITE = 50


class _Loader(yaml.SafeLoader):
    """Refuses a key that a mapping has twice, as YAML asks; the library takes the last one and says nothing."""

    def compose_mapping_node(self, anchor: Any) -> Any:
        node = super().compose_mapping_node(anchor)
        seen = set()
        for key in (key for key, _ in node.value if isinstance(key, yaml.ScalarNode)):
            if (key.tag, key.value) in seen:
                raise yaml.composer.ComposerError(None, None, f"the key {key.value!r} is there twice", key.start_mark)
            seen.add((key.tag, key.value))
        return node


def parsed_json(text: str | bytes, frames: int = _FRAMES_TO_WRITE) -> Any:
    """The value of a text in JSON.

    Args:
        frames: the caller can write the value again that many calls deeper than it is now, for as many frames are
            taken from the stack on which values within values are read.

    Raises:
        ValueError: it is no JSON, or values lie in each other deeper than Python follows.
    """
    if frames:
        return parsed_json(text, frames - 1)
    try:
        return json.loads(text)  # noqa: TID251
    except RecursionError as error:
        raise ValueError("nested too deeply") from error


def parsed_yaml(text: str | bytes) -> Any:
    """The value of a text in YAML, of plain types.

    Raises:
        ValueError: it is no YAML, has a key twice, holds a value that is none of its tag or a date that is in no
            calendar, or values lie in each other deeper than Python follows.
    """
    try:
        return yaml.load(text, _Loader)
    except yaml.YAMLError as error:
        raise ValueError(" ".join(str(error).split())) from error
    except (AttributeError, LookupError) as error:  # of the library, where a tag such as `!!timestamp` is given
        raise ValueError("a value is none of its tag") from error
    except RecursionError as error:
        raise ValueError("nested too deeply") from error

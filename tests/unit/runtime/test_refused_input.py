"""What is said of input that a record does not accept: the key, and the reason in the words of the file."""

import pytest
from pydantic import BaseModel, ConfigDict, ValidationError, field_validator

from testevo.runtime.refused_input import MOST_DEFECTS, reason


class Part(BaseModel):
    model_config = ConfigDict(extra="forbid")
    size: int = 0


class Whole(BaseModel):
    name: str = ""
    parts: tuple[Part, ...] = ()
    by_name: dict[str, int] = {}

    @field_validator("name")
    @classmethod
    def _short(cls, name: str) -> str:
        if len(name) > 3:
            raise ValueError("has more than three letters")
        return name


def refused(content: object) -> ValidationError:
    with pytest.raises(ValidationError) as caught:
        Whole.model_validate(content)
    return caught.value


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ({"parts": 3}, "parts: should be a list"),
        ({"parts": ["x"]}, "parts.0: should hold keys and values"),
        ({"by_name": []}, "by_name: should hold keys and values"),
        ({"parts": [{"size": []}]}, "parts.0.size: Input should be a valid integer"),
        ({"parts": [{"length": 1}]}, "parts.0.length: unknown key"),
        ({"name": "longer"}, "name: has more than three letters"),
        ([], "should hold keys and values"),
    ],
)
def test_the_key_and_the_reason_are_named_without_words_of_python(content: object, said: str) -> None:
    assert reason(refused(content)) == said


def test_all_defects_are_named_up_to_a_number() -> None:
    assert (
        reason(refused({"name": "longer", "by_name": 1}))
        == "name: has more than three letters; by_name: should hold keys and values"
    )
    many = reason(refused({"parts": list(range(MOST_DEFECTS + 2))}))
    assert many.count(";") == MOST_DEFECTS and many.endswith("; and 2 more")


def test_another_error_is_named_by_its_first_line() -> None:
    assert reason(ValueError("first\nsecond")) == "first"
    assert reason(OSError(2, "No such file or directory", "/x")) == "No such file or directory"
    assert reason(KeyError()) == "KeyError"

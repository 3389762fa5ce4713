"""Training cutoffs of models as published, to tell tasks a model may have seen from later ones (TEB-K08)."""

from calendar import monthrange
from collections.abc import Sequence
from datetime import date, timedelta
from functools import cache
from pathlib import Path

from pydantic import Field, ValidationError

from testevo.config.base import Section
from testevo.config.load import read_yaml
from testevo.runtime.errors import NotFoundError, UsageError
from testevo.runtime.files.project import PROJECT
from testevo.runtime.refused_input import reason

FILE = PROJECT / "config" / "model-cutoffs.yaml"


def last_day_of(cutoff: str) -> date:
    """The last day that training data may be of; that of the month where no day is known."""
    year, month, *day = map(int, cutoff.split("-"))
    return date(year, month, *(day or [monthrange(year, month)[1]]))


class ModelCutoff(Section):
    """The published end of a model's training data."""

    model: str
    aliases: tuple[str, ...] = ()
    cutoff: str = Field(pattern=r"^\d{4}-\d{2}(-\d{2})?$")
    """A day, or a month where no day is published."""
    states: str
    """The words of the source."""
    source: str = Field(pattern="^https://")
    read: date
    """When the source was read."""

    @property
    def last_day(self) -> date:
        return last_day_of(self.cutoff)

    @property
    def first_day_after(self) -> date:
        return self.last_day + timedelta(days=1)

    @property
    def names(self) -> frozenset[str]:
        return frozenset(name.casefold() for name in (self.model, *self.aliases))


class ModelCutoffs(Section):
    """The registry."""

    models: tuple[ModelCutoff, ...]


def read_cutoffs(path: Path = FILE) -> tuple[ModelCutoff, ...]:
    """The models of a registry, by cutoff.

    Raises:
        UsageError: the file cannot be read, an entry has another shape, or a name stands for two models.
    """
    try:
        found = ModelCutoffs.model_validate(read_yaml(path)).models
    except ValidationError as error:
        raise UsageError(f"{path}: {reason(error)}. Fix the file.") from error
    if len(frozenset().union(*(one.names for one in found))) != sum(len(one.names) for one in found):
        raise UsageError(f"{path}: a name stands for two models. Fix the file.")
    return tuple(sorted(found, key=lambda one: (one.last_day, one.model)))


@cache
def known_cutoffs() -> tuple[ModelCutoff, ...]:
    return read_cutoffs()


def cutoff_of(model: str, known: Sequence[ModelCutoff] | None = None) -> ModelCutoff:
    """The cutoff of a model, by its name or an alias.

    Raises:
        NotFoundError: none is known; the message lists the models that have one.
    """
    listed = known_cutoffs() if known is None else known
    for one in listed:
        if model.casefold() in one.names:
            return one
    names = ", ".join(f"{one.model} ({one.cutoff})" for one in listed)
    raise NotFoundError(
        f"No training cutoff of {model!r} is known. Known ones: {names}. Give --since with a day, or add the model "
        f"with its source to config/{FILE.name}."
    )

"""The price table: what tokens of a model cost from which day on."""

import re
from collections.abc import Sequence
from datetime import date
from pathlib import Path

from pydantic import Field, TypeAdapter

from testevo.config.base import Section
from testevo.records.agents.usage import Tokens
from testevo.runtime.errors import UserError
from testevo.runtime.files.json_and_yaml import parsed_yaml
from testevo.runtime.refused_input import reason

PRICES = Path(__file__).with_name("prices.yaml")
_MILLION = 1_000_000
_DATED = re.compile(r"[-@](?:\d{8}|\d{4}-\d{2}-\d{2})$")


class Price(Section):
    """US dollars for a million tokens of a model."""

    model: str
    since: date | None = None
    """The day this price began to hold, where its source tells it."""
    above: int = Field(0, ge=0)
    """The price holds for requests with more input tokens than this."""
    input: float = Field(ge=0)
    cached_input: float | None = Field(None, ge=0)
    """Price of input read from a cache; without one, that of other input."""
    cache_write: float | None = Field(None, ge=0)
    cache_write_hour: float | None = Field(None, ge=0)
    output: float = Field(ge=0)
    source: str = Field(min_length=1)
    """Where the price was read."""
    read: date
    """When it was read there."""

    @property
    def first_day(self) -> date:
        """The first day on which the price is known to hold."""
        return self.since or self.read

    def cost(self, tokens: Tokens) -> float:
        """US dollars of one answer."""
        for_an_hour = tokens.cache_write_hour
        written = tokens.cache_write - for_an_hour
        plain = tokens.input - tokens.cached_input - tokens.cache_write
        parts = (
            (plain, self.input),
            (tokens.cached_input, self.cached_input),
            (written, self.cache_write),
            (for_an_hour, self.cache_write_hour if self.cache_write_hour is not None else self.cache_write),
            (tokens.output, self.output),
        )
        return sum(count * (self.input if price is None else price) for count, price in parts) / _MILLION


class PriceTable:
    """Prices that hold on one day."""

    def __init__(self, prices: tuple[Price, ...], day: date) -> None:
        self._day, self._all = day, prices
        self._prices = [price for price in prices if price.first_day <= day]

    def cost(self, model: str, tokens: Tokens) -> float | None:
        """US dollars of one answer; None where the table has no price of the model."""
        fitting = [price for price in self._of(model) if price.above < max(tokens.input, 1)]
        newest = max((price.first_day for price in fitting), default=None)
        now = [price for price in fitting if price.first_day == newest]
        return max(now, key=lambda price: price.above).cost(tokens) if now else None

    def lack(self, model: str) -> str | None:
        """Why calls of a model have no price; None where they have one."""
        if self._of(model):
            return None
        if later := _of_model(self._all, model):
            first = min(price.first_day for price in later)
            return f"the price of the model {model} is known from {first} on, and this run is of {self._day}"
        return f"the model {model} has no price"

    def _of(self, model: str) -> list[Price]:
        return _of_model(self._prices, model)


def _of_model(prices: Sequence[Price], model: str) -> list[Price]:
    """The prices of a model: of its whole name, else without the provider before it and the date behind it."""
    bare = model.rpartition("/")[2]
    for name in (model, bare, without_date(bare)):
        if found := [price for price in prices if price.model == name]:
            return found
    return []


def without_date(model: str) -> str:
    """The name of a model without the day of its version, as in `claude-haiku-4-5-20251001`."""
    return _DATED.sub("", model)


def price_table(day: date, file: Path = PRICES) -> PriceTable:
    """The prices of a day.

    Raises:
        UserError: the file is missing or is not a price table.
    """
    try:
        content = parsed_yaml(file.read_bytes())
        return PriceTable(TypeAdapter(tuple[Price, ...]).validate_python(content), day)
    except (OSError, ValueError) as error:
        raise UserError(f"{file} is not a price table: {reason(error)}. See docs/agents.md for its form.") from error

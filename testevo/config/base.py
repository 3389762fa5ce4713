"""The base of all configuration sections: immutable, unknown keys are errors."""

from pydantic import BaseModel, ConfigDict

DAY_SECONDS = 86_400
"""The longest time limit of one build or run. The system waits 24 days at most, and some limits are added up."""


class Section(BaseModel):
    """A section of the configuration."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True, allow_inf_nan=False)

"""The base of all configuration sections: immutable, unknown keys are errors."""

from pydantic import BaseModel, ConfigDict


class Section(BaseModel):
    """A section of the configuration."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

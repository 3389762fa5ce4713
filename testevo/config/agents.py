"""Settings of agents."""

from typing import Literal

from pydantic import Field

from testevo.config.base import Section


class ConfiguredSystem(Section):
    """A system that needs no code: any command that edits the working folder."""

    command: tuple[str, ...] = Field(
        min_length=1,
        description="Program and arguments; `{prompt}`, `{prompt_file}`, `{workspace}`, `{home}`, `{model}`, "
        "`{gateway}`, `{token}`, `{target}` and `{test_command}` are filled in.",
    )
    environment: dict[str, str] = Field(
        default_factory=dict, description="Environment variables, filled in like the command."
    )
    protocol: Literal["anthropic", "openai_chat", "openai_responses", "gemini"] = Field(
        "openai_chat", description="What the command speaks to the model."
    )
    readable: tuple[str, ...] = Field((), description="Folders of the program that a sandbox must show.")
    version: str = Field("unknown", description="Version of the program; appears in the records.")

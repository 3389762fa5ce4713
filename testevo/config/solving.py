"""Settings of the stage `solve`: which systems solve tasks, and what each run may take."""

from pydantic import Field

from testevo.config.agents import ConfiguredSystem
from testevo.config.base import Section


class SolvingSystem(Section):
    """A system that solves tasks."""

    program: str = Field("command", description="Name of a known program (docs/agents.md), or `command`.")
    model: str = Field(min_length=1, description="Model, as the program and the price table call it.")
    further_models: tuple[str, ...] = Field(
        (), description="Other models that the program may ask there, such as for small side tasks."
    )
    address: str = Field(min_length=1, description="Address of the model, such as `https://api.anthropic.com`.")
    key_variable: str | None = Field(
        None, description="Environment variable with the key for the address; null if it needs no key."
    )
    command: ConfiguredSystem | None = Field(None, description="The command, where `program` is `command`.")


class RunBudget(Section):
    """What one run may use; null: no limit. A limit is checked before each call of the model (docs/agents.md)."""

    tokens: int | None = Field(None, ge=0, description="Input and output tokens.")
    cost_usd: float | None = Field(3.0, ge=0, description="US dollars by the price table.")
    seconds: float = Field(3600, gt=0, description="Wall time; the run is ended.")
    calls: int | None = Field(None, ge=0, description="Calls of the model.")


class ExpectedUse(Section):
    """What a run is expected to use, for estimates before there are any runs of the system."""

    input_tokens: int = Field(600_000, ge=0, description="Input tokens of all calls together.")
    cached_share: float = Field(0.85, ge=0, le=1, description="Share of them that the provider reads from a cache.")
    output_tokens: int = Field(10_000, ge=0, description="Output tokens.")
    seconds: float = Field(420, gt=0, description="Wall time.")


class Solving(Section):
    """Systems that solve tasks (docs/agents.md)."""

    systems: dict[str, SolvingSystem] = Field(default_factory=dict, description="Systems by name.")
    programs: str = Field("results/agents", description="Folder of installed programs (docs/agents.md).")
    attempts: int = Field(
        1, ge=1, description="Runs of each system on each task; the first alone counts on boards (docs/metrics.md)."
    )
    tries: int = Field(3, ge=1, description="Starts of a run, where the model's address gives no answer.")
    budget: RunBudget = Field(default_factory=RunBudget, description="Of each run, each time it is started.")
    calls_per_minute: int | None = Field(
        None, ge=1, description="Calls of models that all runs start together in a minute."
    )
    wait_seconds: float = Field(
        1800,
        ge=0,
        description="How long a run may wait in all for `calls_per_minute` and for a provider that answers 429 or is "
        "overloaded, beside its budget; then it ends as a failure of the infrastructure.",
    )
    memory_mb: int = Field(2048, ge=256, description="Memory of a run, as `execution.memory_mb` bounds that of a test.")
    disk_mb: int = Field(4096, ge=64, description="How much a run may write to the disk, in MiB.")
    expected: ExpectedUse = Field(default_factory=ExpectedUse, description="Estimate of a run.")

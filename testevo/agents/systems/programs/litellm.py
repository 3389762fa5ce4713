"""What programs that call models through litellm need to reach the gateway."""

from testevo.agents.systems.system import AgentRequest
from testevo.records.agents.usage import Protocol

_PROTOCOLS: dict[str, Protocol] = {"anthropic": "anthropic", "gemini": "gemini"}


def litellm_protocol(model: str) -> Protocol:
    """The protocol that litellm speaks to a model: by the provider before the slash, else OpenAI's."""
    return _PROTOCOLS.get(model.partition("/")[0], "openai_chat")


def litellm_environment(request: AgentRequest) -> dict[str, str]:
    """The variables that send all providers' calls to the gateway."""
    return {
        "OPENAI_API_BASE": f"{request.gateway}/v1",
        "OPENAI_API_KEY": request.token,
        "ANTHROPIC_API_BASE": request.gateway,
        "ANTHROPIC_API_KEY": request.token,
        "GEMINI_API_BASE": f"{request.gateway}/v1beta",
        "GEMINI_API_KEY": request.token,
        "LITELLM_LOCAL_MODEL_COST_MAP": "True",  # else it asks the network for a newer one
    }

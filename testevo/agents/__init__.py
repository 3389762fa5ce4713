"""Agents: programs that change tests with a language model, run in a workspace with a budget (docs/agents.md)."""

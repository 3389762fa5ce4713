"""The gateway between an agent and the address of its model: it holds the key, meters calls and ends budgets."""

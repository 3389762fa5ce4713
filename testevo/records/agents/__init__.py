"""Records of agents: budgets, calls to models, what an agent did."""

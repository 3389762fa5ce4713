"""The cost model and the plan of a large snapshot."""

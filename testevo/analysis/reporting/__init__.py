"""Tables, figures and the report of a run."""

"""Records: the typed contract between stages, the only thing that passes from one stage to the next."""

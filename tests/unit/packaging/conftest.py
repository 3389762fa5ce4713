"""Generated examples are the same in every run and may take as long as a busy machine needs."""

from hypothesis import settings

settings.register_profile("testevo", deadline=None, derandomize=True)
settings.load_profile("testevo")

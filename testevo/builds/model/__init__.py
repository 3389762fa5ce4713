"""The build model: what Maven would compile, and how."""

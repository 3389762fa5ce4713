"""Environments of the workflow's stages: conda environments, container images, environment modules."""

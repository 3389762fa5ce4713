"""What the workflow's stages run in: conda environments, container images, environment modules."""

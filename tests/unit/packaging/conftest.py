"""pytest puts the folder of a conftest on the path, so tests below this one import the factories in it."""

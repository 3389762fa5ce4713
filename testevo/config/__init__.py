"""The configuration: one typed source that generates the default file, the schema and the docs page."""

"""A local server that behaves like the documented part of GitHub's API that a search uses, faults included.

Sources: "REST API endpoints for search / repositories", "Rate limits for the REST API", "Best practices for using the
REST API", "Forming calls with GraphQL" of GitHub's documentation.
"""

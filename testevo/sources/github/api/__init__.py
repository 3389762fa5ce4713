"""Questions to the API of GitHub: tokens, limits, answers that are kept."""

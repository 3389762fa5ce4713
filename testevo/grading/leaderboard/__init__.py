"""Submissions to the leaderboard: their folders, what is wrong with them, and the board made of their grades."""

"""Submissions to the leaderboard: their folders, their defects, and the board made from their grades."""

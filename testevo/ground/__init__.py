"""The ground every room stands on: user errors, files written whole, child processes with limits."""

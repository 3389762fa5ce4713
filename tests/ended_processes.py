"""What tests ask of processes that are not their children."""

import psutil


def is_gone(process_id: int) -> bool:
    """Whether a process ends by itself soon: a kill is not instant, and nobody may collect an orphan."""
    try:
        process = psutil.Process(process_id)
        try:
            process.wait(timeout=10)
        except psutil.TimeoutExpired:
            return process.status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        pass
    return True

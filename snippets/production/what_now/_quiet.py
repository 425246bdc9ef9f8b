"""The profiler without its own messages."""

import contextlib
import os
import sys


@contextlib.contextmanager
def quiet():
    """Drop the standard error, where some profilers report their start and stop."""
    sys.stderr.flush()
    saved = os.dup(2)
    with open(os.devnull, "w") as nowhere:
        os.dup2(nowhere.fileno(), 2)
    try:
        yield
    finally:
        os.dup2(saved, 2)
        os.close(saved)

"""Call a function with a trace, in a fork of this process."""

import os
from multiprocessing import get_context

# private: torch reads TORCH_TRACE when it is imported
import torch._logging._internal as logs


def call_traced(function, folder):
    """Call ``function`` as a program that is started with ``TORCH_TRACE=folder``."""
    process = get_context("fork").Process(target=_trace, args=[function, folder])
    process.start()
    process.join()
    if process.exitcode:
        raise RuntimeError(f"{function} failed")


def _trace(function, folder):
    os.environ["TORCH_TRACE"] = str(folder)
    logs.LOG_TRACE_HANDLER = None
    logs._init_logs()  # reads the variable again
    function()

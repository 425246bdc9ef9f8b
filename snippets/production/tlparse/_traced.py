"""Call a function with a trace, in a fork of this process, which has imported torch already."""

import os
from multiprocessing import get_context

import torch._logging._internal as logs


def call_traced(function, folder):
    """Call ``function`` as a program does that is started with ``TORCH_TRACE=folder``. Uses private names of torch."""
    process = get_context("fork").Process(target=_trace, args=[function, folder])
    process.start()
    process.join()
    if process.exitcode:
        raise RuntimeError(f"{function} failed")


def _trace(function, folder):
    os.environ["TORCH_TRACE"] = str(folder)
    logs.LOG_TRACE_HANDLER = None
    logs._init_logs()  # torch read the variable when it was imported, and reads it again
    function()

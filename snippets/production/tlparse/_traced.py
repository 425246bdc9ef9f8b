"""Call a function with a trace, in a fork of this process, which has imported torch already."""

import os
import sys
import traceback

import torch._logging._internal as logs


def call_traced(function, folder):
    """Call ``function`` as a program does that is started with ``TORCH_TRACE=folder``. Uses private names of torch."""
    sys.stdout.flush()
    if not (child := os.fork()):
        status = 1
        try:
            os.environ["TORCH_TRACE"] = str(folder)
            logs.LOG_TRACE_HANDLER = None
            logs._init_logs()  # torch read the variable when it was imported, and reads it again
            function()
            sys.stdout.flush()
            status = 0
        except Exception:
            traceback.print_exc()
        finally:
            os._exit(status)
    if os.waitpid(child, 0)[1]:
        raise RuntimeError(f"{function} failed")

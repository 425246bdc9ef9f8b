"""Bytes of the process and of its GPU, and how the GPU multiplies."""

import contextlib
import os
import sys


def _gpu():
    """Return ``torch.cuda`` if the program uses a GPU."""
    import torch

    return torch.cuda if torch.cuda.is_initialized() else None


def memory():
    """Return the bytes that this process has, and those that torch gave out on the GPU."""
    numbers = {}
    with contextlib.suppress(OSError), open("/proc/self/statm", "rb") as file:
        numbers["memory"] = int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    gpu = _gpu()
    if gpu is not None:
        numbers["gpu_memory"] = gpu.memory_allocated()
    return numbers


def peaks():
    numbers = {}
    with contextlib.suppress(ImportError):  # Windows
        import resource

        unit = 1 if sys.platform == "darwin" else 1024
        numbers["peak"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit
    gpu = _gpu()
    if gpu is not None:
        numbers["gpu_peak"] = gpu.max_memory_allocated()
    return numbers


def float32_precision():
    """Return how torch computes float32 matmuls, if this GPU has TF32 and torch doesn't use it."""
    import torch

    gpu = _gpu()
    if gpu is None or torch.version.cuda is None or gpu.get_device_capability() < (8, 0):
        return {}
    precision = torch.backends.cuda.matmul.fp32_precision
    return {} if precision == "tf32" else {"float32_precision": "ieee" if precision == "none" else precision}

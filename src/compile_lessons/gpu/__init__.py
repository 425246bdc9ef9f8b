"""Code for a GPU without a GPU: the devices that ``capture(fn, target=...)`` knows, and the kernels it returns.

``capture`` itself is in ``compile_lessons.api``. Importing this package imports neither torch nor triton.
"""

import compile_lessons.reports.forms  # noqa: F401 (registers the text and HTML forms)
from compile_lessons.facts import (
    DEVICES,
    Candidate,
    Config,
    Device,
    GpuKernel,
    LineMap,
    MachineCode,
    Occupancy,
    TargetGpu,
    find_device,
    occupancy,
)
from compile_lessons.gpu.by_hand import compile_kernel
from compile_lessons.gpu.tools import GpuToolsMissing

__all__ = [
    "DEVICES",
    "Candidate",
    "Config",
    "Device",
    "GpuKernel",
    "GpuToolsMissing",
    "LineMap",
    "MachineCode",
    "Occupancy",
    "TargetGpu",
    "compile_kernel",
    "find_device",
    "occupancy",
]

"""Code for a GPU without a GPU: what ``capture(fn, target=...)`` needs to know of the device, and what it finds.

``capture`` itself is in ``compile_lessons.pipeline``; importing this package imports neither torch nor triton.
"""

from compile_lessons.gpu.devices import DEVICES, Device, Occupancy, find_device, occupancy
from compile_lessons.gpu.model import Config, Gpu, GpuKernel, LineMap, MachineCode
from compile_lessons.gpu.tools import GpuToolsMissing

__all__ = [
    "DEVICES",
    "Config",
    "Device",
    "Gpu",
    "GpuKernel",
    "GpuToolsMissing",
    "LineMap",
    "MachineCode",
    "Occupancy",
    "find_device",
    "occupancy",
]

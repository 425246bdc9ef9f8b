"""Code for a GPU without a GPU: the Triton code Inductor would write, and everything below it down to machine code."""

from compile_lessons.gpu.cross import cross_compile
from compile_lessons.gpu.devices import Device, Occupancy, find_device, occupancy
from compile_lessons.gpu.model import GpuCode, GpuGraph, GpuKernel, MachineCode
from compile_lessons.gpu.tools import GpuToolsMissing

__all__ = [
    "Device",
    "GpuCode",
    "GpuGraph",
    "GpuKernel",
    "GpuToolsMissing",
    "MachineCode",
    "Occupancy",
    "cross_compile",
    "find_device",
    "occupancy",
]

"""Kernels for a GPU as plain data, down to machine code."""

from __future__ import annotations

from dataclasses import dataclass

from compile_lessons.gpu.devices import Device, Occupancy


@dataclass(frozen=True)
class Config:
    """One way to launch a kernel: block sizes by name (``XBLOCK``), warps a block, software pipeline stages."""

    blocks: dict[str, int]
    num_warps: int
    num_stages: int


@dataclass(frozen=True)
class LineMap:
    """A line of the kernel's Triton file and the lines (all from 1) of PTX and SASS that were made from it."""

    triton: int
    text: str
    ptx: tuple[int, ...]
    sass: tuple[int, ...]


@dataclass(frozen=True)
class MachineCode:
    """A kernel on its way down, for one configuration.

    ``registers`` are per thread, ``shared`` bytes per block, ``stack`` bytes of local memory per thread;
    ``spill_stores`` and ``spill_loads`` count the instructions (``STL``, ``LDL``) that go to it. ``cubin`` is the
    binary.
    """

    config: Config
    ttir: str
    ttgir: str
    llir: str
    ptx: str
    sass: str
    cubin: bytes
    registers: int
    shared: int
    stack: int
    spill_stores: int
    spill_loads: int
    occupancy: Occupancy
    lines: tuple[LineMap, ...]


@dataclass(frozen=True)
class GpuKernel:
    """A Triton kernel of Inductor's. ``source`` is the file Inductor writes for it, with imports and heuristics.

    ``configs`` are those the heuristics offer; a real run times them where there are several. ``code`` is the machine
    code of the first of them.
    """

    name: str
    source: str
    configs: tuple[Config, ...]
    code: MachineCode

    def __str__(self) -> str:
        from compile_lessons.pipeline.text import text

        return text(self)

    def _repr_html_(self) -> str:
        from compile_lessons.pipeline.html import html

        return html(self)

    @property
    def function(self) -> str:
        """The kernel alone, from its ``def`` on."""
        return self.source[self.source.index(f"def {self.name}(") :]


@dataclass(frozen=True)
class Gpu:
    """The described device that code was written for, by which triton, and the decisions (``notes``) that a real
    device would have measured."""

    device: Device
    triton_version: str
    notes: tuple[str, ...]

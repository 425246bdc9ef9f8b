"""A kernel for a GPU as plain data, down to machine code."""

from dataclasses import dataclass

from compile_lessons.facts.devices import Device, Occupancy
from compile_lessons.facts.part import Part


@dataclass(frozen=True, kw_only=True)
class Config(Part):
    """A launch configuration: block sizes by name (``XBLOCK``), warps per block and software pipeline stages."""

    blocks: dict[str, int]
    num_warps: int
    num_stages: int


@dataclass(frozen=True, kw_only=True)
class LineMap(Part):
    """A line of a kernel's Triton file and the lines of PTX and SASS compiled from it. All are counted from 1."""

    triton: int
    text: str
    ptx: tuple[int, ...]
    sass: tuple[int, ...]


@dataclass(frozen=True, kw_only=True)
class MachineCode(Part):
    """A kernel in each of triton's forms, for one configuration.

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


@dataclass(frozen=True, kw_only=True)
class GpuKernel(Part):
    """A Triton kernel. ``source`` is the file that Inductor writes for it, with imports and heuristics.

    ``configs`` are the candidates that the heuristics offer. On a GPU Inductor times them if there are several;
    ``code`` is the machine code of the first candidate.
    """

    name: str
    source: str
    configs: tuple[Config, ...]
    code: MachineCode

    @property
    def function(self) -> str:
        """The source from the kernel's ``def`` on, without imports and heuristics."""
        return self.source[self.source.index(f"def {self.name}(") :]


@dataclass(frozen=True, kw_only=True)
class Candidate(Part):
    """One of the implementations of an operator that Inductor would time on a real device, as with ``max-autotune``.

    ``source`` is the Triton file that Inductor wrote to time the candidate; empty for one of a library, such as
    ``aten.mm``.
    """

    operator: str
    name: str
    options: str
    source: str


@dataclass(frozen=True, kw_only=True)
class TargetGpu(Part):
    """The described device that code was written for, the version of triton that compiled it, and ``notes``.

    Each note is a decision for which Inductor would time candidates on a real device, or a reason why Inductor would
    not use CUDA graphs. ``candidates`` are the implementations of operators that have several; which one a real run
    picks is unknown.
    """

    device: Device
    triton_version: str
    notes: tuple[str, ...]
    candidates: tuple[Candidate, ...] = ()

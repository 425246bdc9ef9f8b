"""GPUs as facts, for compiling without one, and a kernel for one of them, down to machine code.

Of a GPU these are the facts that Inductor asks for, and those that set the occupancy.
Limits by compute capability are those of the CUDA C++ Programming Guide, "Technical Specifications per Compute
Capability"; multiprocessors, memory and bandwidth those of NVIDIA's data sheet or white paper of the product.
Allocation units (256 registers a warp, 4 warps, 128 bytes of shared memory, 1 KiB reserved for a block) are those of
NVIDIA's Nsight Compute occupancy calculator for compute capability 8.0 to 10.0. The calculator's values for 7.5 are
256 bytes of shared memory and none reserved.
"""

from dataclasses import dataclass
from typing import Literal

from compile_lessons.facts.part import Part

_REGISTER_UNIT = 256
_WARP_UNIT = 4
_WARP = 32


@dataclass(frozen=True, kw_only=True)
class Device(Part):
    """A described GPU. Memory sizes are in bytes, ``bandwidth`` in bytes per second.

    ``shared_per_block`` is the most that a block can ask for (the opt-in limit), ``shared_reserved`` the bytes that the
    system takes for each block, ``shared_unit`` the unit in which shared memory is allocated. ``source`` cites the
    documents that the facts are from.
    """

    name: str
    capability: tuple[int, int]
    multiprocessors: int
    threads_per_multiprocessor: int
    blocks_per_multiprocessor: int
    shared_per_multiprocessor: int
    shared_per_block: int
    l2: int
    memory: int
    bandwidth: float
    source: str
    registers_per_multiprocessor: int = 65536
    shared_reserved: int = 1024
    shared_unit: int = 128

    @property
    def arch(self) -> int:
        """The compute capability as triton writes it: 90 for 9.0."""
        return 10 * self.capability[0] + self.capability[1]


#: The resource that limits the number of warps on a multiprocessor.
Limit = Literal["warps", "blocks", "registers", "shared memory"]


@dataclass(frozen=True, kw_only=True)
class Occupancy(Part):
    """The blocks and warps of a kernel that fit on one multiprocessor at a time, and what limits them.

    ``share`` is ``warps`` divided by the number of warps that the multiprocessor can hold.
    """

    blocks: int
    warps: int
    share: float
    limit: Limit


def occupancy(device: Device, registers: int, shared: int, warps: int) -> Occupancy:
    """Return the occupancy of a kernel with ``registers`` per thread, ``shared`` bytes and ``warps`` warps per block.

    Raises ``ValueError`` if no block fits.
    """
    most_warps = device.threads_per_multiprocessor // _WARP
    per_warp = _round_up(max(registers, 1) * _WARP, _REGISTER_UNIT)
    by_registers = device.registers_per_multiprocessor // per_warp // _WARP_UNIT * _WARP_UNIT // warps
    per_block = max(_round_up(shared + device.shared_reserved, device.shared_unit), 1)
    limits: dict[Limit, int] = {
        "warps": most_warps // warps,
        "blocks": device.blocks_per_multiprocessor,
        "registers": by_registers,
        "shared memory": device.shared_per_multiprocessor // per_block,
    }
    limit = min(limits, key=limits.__getitem__)
    blocks = limits[limit]
    if blocks == 0:
        raise ValueError(f"no block of {warps} warps fits on a multiprocessor of {device.name}: too much {limit}")
    return Occupancy(blocks=blocks, warps=blocks * warps, share=blocks * warps / most_warps, limit=limit)


def _round_up(value: int, unit: int) -> int:
    return -(-value // unit) * unit


#: By compute capability: threads and blocks per multiprocessor, KiB of shared memory per multiprocessor and per block,
#: bytes of shared memory reserved for a block, and the unit of bytes in which it is allocated.
_LIMITS = {
    (7, 5): (1024, 16, 64, 64, 0, 256),
    (8, 0): (2048, 32, 164, 163, 1024, 128),
    (8, 9): (1536, 24, 100, 99, 1024, 128),
    (9, 0): (2048, 32, 228, 227, 1024, 128),
    (10, 0): (2048, 32, 228, 227, 1024, 128),
}


def _nvidia(
    name: str,
    capability: tuple[int, int],
    multiprocessors: int,
    l2_mib: int,
    memory: int,
    bandwidth: float,
    source: str,
) -> Device:
    """Return a product of NVIDIA with the limits of its compute capability."""
    threads, blocks, shared_kib, shared_kib_per_block, reserved, unit = _LIMITS[capability]
    guide = "CUDA C++ Programming Guide, technical specifications of compute capability"
    return Device(
        name=name,
        capability=capability,
        multiprocessors=multiprocessors,
        threads_per_multiprocessor=threads,
        blocks_per_multiprocessor=blocks,
        shared_per_multiprocessor=shared_kib * 2**10,
        shared_per_block=shared_kib_per_block * 2**10,
        l2=l2_mib * 2**20,
        memory=memory,
        bandwidth=bandwidth,
        source=f"{guide} {'.'.join(map(str, capability))}; NVIDIA {source}",
        shared_reserved=reserved,
        shared_unit=unit,
    )


H200 = _nvidia("NVIDIA H200", (9, 0), 132, 60, 141 * 10**9, 4.8e12, "H200 data sheet; L2 as read on an H200 by torch")
H100 = _nvidia("NVIDIA H100 80GB HBM3", (9, 0), 132, 50, 80 * 10**9, 3.35e12, "H100 white paper and data sheet (SXM5)")
A100 = _nvidia("NVIDIA A100-SXM4-80GB", (8, 0), 108, 40, 80 * 10**9, 2.039e12, "A100 white paper and data sheet")
L4 = _nvidia("NVIDIA L4", (8, 9), 58, 48, 24 * 10**9, 300e9, "L4 data sheet and Ada white paper")
L40S = _nvidia(
    "NVIDIA L40S",
    (8, 9),
    142,
    96,
    48 * 10**9,
    864e9,
    "L40S data sheet (18,176 CUDA cores, 128 each) and Ada white paper (AD102)",
)
RTX_4090 = _nvidia(
    "NVIDIA GeForce RTX 4090", (8, 9), 128, 72, 24 * 2**30, 1.008e12, "Ada white paper, table of the GeForce RTX 4090"
)
T4 = _nvidia("Tesla T4", (7, 5), 40, 4, 16 * 10**9, 320e9, "T4 data sheet and Turing white paper (TU104)")
B200 = _nvidia("NVIDIA B200", (10, 0), 148, 126, 180 * 10**9, 7.7e12, "Blackwell data sheet")
DEVICES = {
    "h200": H200,
    "h100": H100,
    "a100": A100,
    "l40s": L40S,
    "l4": L4,
    "rtx4090": RTX_4090,
    "t4": T4,
    "b200": B200,
}
"""The described GPUs, by the names that ``target`` takes."""


def find_device(target: str | Device) -> Device:
    """Return the described device. Raises ``ValueError`` for an unknown name."""
    if isinstance(target, Device):
        return target
    if target.lower() not in DEVICES:
        raise ValueError(
            f"unknown GPU {target!r}. Fix: use one of {', '.join(DEVICES)}, or describe your own with Device"
        )
    return DEVICES[target.lower()]


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

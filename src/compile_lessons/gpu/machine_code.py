"""From a kernel's Triton source to SASS, with triton's own compiler and the tools in its package.

Relies on ``torch/_inductor/runtime/triton_heuristics.py``: a kernel's file, once loaded, is a ``CachingAutotuner`` with
``configs``, and ``_precompile_config`` compiles one of them without launching it.
"""

from __future__ import annotations

import re
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from torch._inductor.codecache import PyCodeCache

from compile_lessons.gpu import pretend
from compile_lessons.gpu.cross import kernel_sources
from compile_lessons.gpu.devices import Device, occupancy
from compile_lessons.gpu.lines import line_maps
from compile_lessons.gpu.model import Config, GpuKernel, MachineCode
from compile_lessons.gpu.tools import run_tool

_USAGE = re.compile(r"REG:(?P<registers>\d+) STACK:(?P<stack>\d+) SHARED:(?P<shared>\d+)")


def kernels(output_code: str, device: Device) -> tuple[GpuKernel, ...]:
    """The Triton kernels in Inductor's output code, each with the machine code of its first configuration."""
    sources = kernel_sources(output_code)
    with pretend.described(device):
        loaded = [getattr(PyCodeCache.load(source), name) for name, source in sources.items()]
        binaries = [autotuner._precompile_config(autotuner.configs[0]).kernel for autotuner in loaded]
    # The tools are processes of their own; most of the time goes into waiting for them.
    with ThreadPoolExecutor() as pool:
        disassembled = list(pool.map(disassemble, [binary.asm["cubin"] for binary in binaries]))
    return tuple(
        _kernel(name, source, autotuner.configs, binary, code, device)
        for (name, source), autotuner, binary, code in zip(sources.items(), loaded, binaries, disassembled, strict=True)
    )


def _kernel(
    name: str, source: str, configs: list[Any], binary: Any, disassembled: tuple[str, dict[str, int]], device: Device
) -> GpuKernel:
    offered = tuple(_config(config) for config in configs)
    return GpuKernel(name, source, offered, _machine_code(offered[0], binary, disassembled, source, device))


def _config(config: Any) -> Config:
    return Config(dict(config.kwargs), config.num_warps, config.num_stages)


def _machine_code(
    config: Config, binary: Any, disassembled: tuple[str, dict[str, int]], source: str, device: Device
) -> MachineCode:
    stages, (sass, usage) = binary.asm, disassembled
    shared = max(binary.metadata.shared, usage["shared"])
    return MachineCode(
        config=config,
        ttir=str(stages["ttir"]),
        ttgir=str(stages["ttgir"]),
        llir=str(stages["llir"]),
        ptx=stages["ptx"],
        sass=sass,
        cubin=stages["cubin"],
        registers=usage["registers"],
        shared=shared,
        stack=usage["stack"],
        spill_stores=len(re.findall(r"\bSTL\b", sass)),
        spill_loads=len(re.findall(r"\bLDL\b", sass)),
        occupancy=occupancy(device, usage["registers"], shared, config.num_warps),
        lines=line_maps(source, stages["ptx"], sass),
    )


def disassemble(cubin: bytes) -> tuple[str, dict[str, int]]:
    """SASS with line information, and registers, stack and shared memory as the binary states them."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "kernel.cubin"
        path.write_bytes(cubin)
        sass = run_tool("nvdisasm", "--print-code", "--print-line-info-inline", str(path))
        usage = run_tool("cuobjdump", "--dump-resource-usage", str(path))
    match = _USAGE.search(usage)
    if match is None:
        raise RuntimeError(f"cuobjdump states no resource usage:\n{usage}")
    return sass, {name: int(value) for name, value in match.groupdict().items()}

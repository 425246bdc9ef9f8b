"""From a kernel's Triton source to SASS, with triton's own compiler and the tools in its package.

Relies on ``torch/_inductor/runtime/triton_heuristics.py``: a kernel's file, once loaded, is a ``CachingAutotuner`` with
``configs``, and ``_precompile_config`` compiles one of them without launching it.
"""

from __future__ import annotations

import re
import tempfile
from pathlib import Path
from typing import Any

from compile_lessons.gpu import pretend
from compile_lessons.gpu.devices import Device, occupancy
from compile_lessons.gpu.lines import line_maps
from compile_lessons.gpu.model import Config, GpuKernel, MachineCode
from compile_lessons.gpu.tools import run_tool

_USAGE = re.compile(r"REG:(?P<registers>\d+) STACK:(?P<stack>\d+) SHARED:(?P<shared>\d+)")


def machine_kernel(name: str, source: str, device: Device, assemble: bool = True) -> GpuKernel:
    """The kernel in ``source``, Inductor's file for it, with its configurations and, if asked for, its machine code."""
    from torch._inductor.codecache import PyCodeCache

    with pretend.described(device):
        autotuner = getattr(PyCodeCache.load(source), name)
        configs = tuple(_config(config) for config in autotuner.configs)
        code = None
        if assemble:
            compiled = autotuner._precompile_config(autotuner.configs[0])
            code = _machine_code(configs[0], compiled, source, device)
    return GpuKernel(name, source, configs, code)


def _config(config: Any) -> Config:
    return Config(dict(config.kwargs), config.num_warps, config.num_stages)


def _machine_code(config: Config, compiled: Any, source: str, device: Device) -> MachineCode:
    kernel = compiled.kernel
    stages = kernel.asm
    sass, usage = disassemble(stages["cubin"])
    shared = max(kernel.metadata.shared, usage["shared"])
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

"""From a kernel's Triton source to SASS, with triton's own compiler and the tools in its package.

Relies on ``torch/_inductor/runtime/triton_heuristics.py``: a kernel's file, once loaded, is a ``CachingAutotuner`` with
``configs``, and ``_precompile_config`` compiles one of them without launching it.
"""

import re
import tempfile
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any

from torch._inductor.codecache import PyCodeCache

from compile_lessons.facts import Config, Device, GpuKernel, MachineCode, occupancy
from compile_lessons.gpu import pretend
from compile_lessons.gpu.cross_compile import kernel_sources
from compile_lessons.gpu.tools import run_tool
from compile_lessons.gpu.triton_lines import line_maps

#: The end of ``cuobjdump``'s line on a function: ``REG:16 STACK:0 SHARED:0 LOCAL:0 …``.
_USAGE = re.compile(r"REG:(?P<registers>\d+) STACK:(?P<stack>\d+) SHARED:(?P<shared>\d+)")


def gpu_kernels(output_code: str, device: Device) -> tuple[GpuKernel, ...]:
    """Return the Triton kernels in Inductor's output code, each with the machine code of its first configuration."""
    sources = kernel_sources(output_code)
    with pretend.described(device):
        modules = [PyCodeCache.load(source) for source in sources.values()]
        # In threads: ptxas and the tools are processes of their own, and most of the time goes into waiting for them.
        with ThreadPoolExecutor() as pool:
            return tuple(pool.map(partial(_kernel, device), sources, sources.values(), modules))


def _kernel(device: Device, name: str, source: str, module: ModuleType) -> GpuKernel:
    autotuner = getattr(module, name)
    configs = tuple(
        Config(blocks=dict(config.kwargs), num_warps=config.num_warps, num_stages=config.num_stages)
        for config in autotuner.configs
    )
    binary = autotuner._precompile_config(autotuner.configs[0]).kernel
    # Inductor's own runs write an empty line at the top of a kernel's file, and find a file again by its content
    # without it (``write`` in torch/_inductor/codecache.py).
    text = Path(str(module.__file__)).read_text(encoding="utf-8")
    above = len(text) - len(text.lstrip("\n"))
    return GpuKernel(
        name=name, source=source, configs=configs, code=machine_code(configs[0], binary, device, source, above)
    )


def machine_code(config: Config, binary: Any, device: Device, source: str, above: int = 0) -> MachineCode:
    """Return all forms of what triton compiled with ``config``. Its file has ``above`` lines before ``source``."""
    stages = binary.asm
    sass, usage = disassemble(stages["cubin"])
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
        lines=line_maps(source, above, stages["ptx"], sass),
    )


def disassemble(cubin: bytes) -> tuple[str, dict[str, int]]:
    """Return SASS with line information, and the registers, stack and shared memory that the binary states."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "kernel.cubin"
        path.write_bytes(cubin)
        sass = run_tool("nvdisasm", "--print-code", "--print-line-info-inline", str(path))
        usage = run_tool("cuobjdump", "--dump-resource-usage", str(path))
    match = _USAGE.search(usage)
    if match is None:
        raise RuntimeError(f"cuobjdump states no resource usage:\n{usage}")
    return sass, {name: int(value) for name, value in match.groupdict().items()}

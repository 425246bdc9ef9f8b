"""Machine code of a kernel that you wrote in Triton, for a described GPU and on a machine without one."""

from __future__ import annotations

import inspect
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from compile_lessons.gpu.devices import Device, find_device
from compile_lessons.gpu.kernel import Config, MachineCode
from compile_lessons.gpu.tools import require_triton


def compile_kernel(
    kernel: Any,
    *arguments: Any,
    target: str | Device = "h200",
    num_warps: int = 4,
    num_stages: int = 3,
    **constants: Any,
) -> MachineCode:
    """Compile a ``@triton.jit`` function for ``target`` as a launch with these arguments would, and return all forms.

    Tensors may be on the CPU: Triton reads their dtype and alignment. ``constants`` are ``tl.constexpr`` parameters and
    other options of a launch, such as ``maxnreg``.
    The kernel must not be in the interpreter (``TRITON_INTERPRET=1``). Raises ``GpuToolsMissing``.
    """
    require_triton()
    from triton.backends.compiler import GPUTarget  # triton is not installed everywhere

    from compile_lessons.gpu.machine_code import disassemble, machine_code  # imports torch
    from compile_lessons.gpu.triton_lines import line_maps
    from compile_lessons.patching import replaced

    device = find_device(target)
    gpu = GPUTarget("cuda", device.arch, 32)
    driver = SimpleNamespace(
        get_current_target=lambda: gpu, get_current_device=lambda: 0, get_current_stream=lambda index=0: 0
    )
    with replaced({"triton.runtime:driver._active": driver}):
        binary = kernel.warmup(*arguments, grid=(1,), num_warps=num_warps, num_stages=num_stages, **constants)
    disassembled = disassemble(binary.asm["cubin"])
    config = Config(
        blocks=_sizes(kernel, arguments, constants),
        num_warps=int(binary.metadata.num_warps),  # a warp-specialized kernel has more than were asked for
        num_stages=num_stages,
    )
    source = Path(inspect.getsourcefile(kernel.fn) or "").read_text(encoding="utf-8")
    lines = line_maps(source, 0, binary.asm["ptx"], disassembled[0])
    return machine_code(config, binary, disassembled, lines, device)


def _sizes(kernel: Any, arguments: tuple[Any, ...], constants: dict[str, Any]) -> dict[str, int]:
    """Return the values of the kernel's ``tl.constexpr`` parameters that are ints."""
    given = dict(zip(kernel.arg_names, arguments, strict=False)) | constants
    names = [kernel.arg_names[number] for number in kernel.constexprs]
    return {name: given[name] for name in names if type(given.get(name)) is int}

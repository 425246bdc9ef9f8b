"""Machine code of a kernel that you wrote in Triton, for a described GPU and on a machine without one."""

import inspect
from pathlib import Path
from typing import Any

from compile_lessons.facts import Config, Device, MachineCode, find_device


def compile_kernel(
    kernel: Any,
    *arguments: Any,
    target: str | Device = "h200",
    num_warps: int = 4,
    num_stages: int = 3,
    **constants: Any,
) -> MachineCode:
    """Compile a ``@triton.jit`` function for ``target`` as a launch with these arguments would, and return all forms.

    Tensors can be on the CPU: Triton reads their dtype and alignment. ``constants`` are ``tl.constexpr`` parameters and
    other options of a launch, such as ``maxnreg``.
    The kernel must not be in the interpreter (``TRITON_INTERPRET=1``). Raises ``GpuToolsMissing``.
    """
    from compile_lessons.gpu.machine_code import machine_code  # imports torch
    from compile_lessons.gpu.pretend import answering, answers

    device = find_device(target)
    with answering(answers(device)):
        binary = kernel.warmup(*arguments, grid=(1,), num_warps=num_warps, num_stages=num_stages, **constants)
    given = dict(zip(kernel.arg_names, arguments, strict=False)) | constants
    names = [kernel.arg_names[number] for number in kernel.constexprs]
    config = Config(
        blocks={name: given[name] for name in names if type(given.get(name)) is int},
        num_warps=int(binary.metadata.num_warps),  # a warp-specialized kernel has more than were asked for
        num_stages=num_stages,
    )
    source = Path(inspect.getsourcefile(kernel.fn) or "").read_text(encoding="utf-8")
    return machine_code(config, binary, device, source)

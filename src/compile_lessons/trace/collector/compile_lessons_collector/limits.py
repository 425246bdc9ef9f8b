"""What each kernel of Inductor has to move, and what this GPU can do. Only ``diagnose --profile-steps`` loads this."""

import importlib
import re

from .files import guarded, write
from .stacks import is_user_file

#: Private: whose ``define_kernel`` names each generated kernel. Torch's Dynamo must be there before it.
WATCHED = "torch._inductor.codegen.triton", "TritonScheduling"
#: A line of a stack as torch writes it.
_LINE = re.compile(r'File "([^"]+)", line (\d+), in (\S+)')
_LINES = 4  # of a kernel that are noted
_BYTES = 2**30  # that a copy reads and writes which is timed; at least eight times as many are free
_SIDE = 8192  # of the matrices of a product that is timed
_TIMES = 5


def watch():
    """Note each Triton kernel that Inductor generates: the bytes that it reads and writes, and the user's lines."""
    import torch

    if not torch.cuda.is_available():
        return
    owner, name = WATCHED
    scheduling = getattr(importlib.import_module(owner), name)
    original = scheduling.define_kernel

    def define_kernel(self, src_code, node_schedule, kernel):
        name = original(self, src_code, node_schedule, kernel)
        guarded(_add, name, node_schedule, kernel)
        return name

    scheduling.define_kernel = define_kernel


def _add(name, node_schedule, kernel):
    write(
        "generated",
        kernel=name,
        bytes=int(kernel.estimate_kernel_num_bytes()),
        flop=int(kernel.estimate_flops() or 0),
        lines=_lines(node_schedule),
    )


def _lines(node_schedule):
    """Return the innermost lines of the user's for which the kernel computes something."""
    lines = []
    for item in node_schedule:
        for origin in getattr(getattr(item, "node", None), "origins", ()):
            stack = _LINE.findall(origin.meta.get("stack_trace") or "")
            users = [[file, int(line), function] for file, line, function in stack if is_user_file(file)]
            if users and users[-1] not in lines:
                lines.append(users[-1])
    return lines[:_LINES]


def measure(torch):
    """Return bytes a second of a copy on this GPU, read and written ones, and operations a second of matmuls.

    The program's random numbers stay as they are. Empty where there is no memory to spare.
    """
    free, _ = torch.cuda.mem_get_info()
    if torch.cuda.is_current_stream_capturing() or free < 8 * _BYTES:
        return {}
    with torch.no_grad(), torch.autocast("cuda", enabled=False):
        source = torch.zeros(_BYTES // 2, dtype=torch.uint8, device="cuda")
        rates = {"copy": _BYTES / _seconds(torch, torch.empty_like(source).copy_, source)}
        random = torch.Generator("cuda")
        for name, dtype in (("bf16", torch.bfloat16), ("f32", torch.float32)):
            matrix = torch.randn(_SIDE, _SIDE, device="cuda", dtype=dtype, generator=random)
            rates[name] = 2 * _SIDE**3 / _seconds(torch, torch.matmul, matrix, matrix)
    return rates


def _seconds(torch, function, *arguments):
    """Return the median time of a call."""
    function(*arguments)
    times = []
    for _ in range(_TIMES):
        start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        start.record()
        function(*arguments)
        end.record()
        torch.cuda.synchronize()
        times.append(start.elapsed_time(end) / 1e3)
    return sorted(times)[_TIMES // 2]

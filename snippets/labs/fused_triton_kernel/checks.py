"""The kernel in Triton's interpreter: how it is launched, what it writes and where; its time where there is a GPU."""

import contextlib
import importlib.util
import math
import os
import subprocess
import sys

import numpy
import torch
import torch.nn.functional as F
from torch.utils._python_dispatch import TorchDispatchMode
from triton.runtime import interpreter

from compile_lessons.labs import Work, Wrong, require

numpy.seterr(over="ignore")  # the interpreter computes with numpy, which warns where a GPU goes to infinity in silence

SHAPES = ((3, 50), (1, 1), (7, 129), (2, 1000), (13, 64))
GUARD = 2**16  # elements of another tensor behind `out`
MARK = 77.0
#: Operators that only allocate memory or look at it in another way.
HARMLESS = {
    "empty",
    "new_empty",
    "empty_like",
    "empty_strided",
    "view",
    "_unsafe_view",
    "detach",
    "alias",
    "as_strided",
}


class Ops(TorchDispatchMode):
    """Note the operators that compute, except inside of kernels."""

    def __init__(self):
        super().__init__()
        self.names, self.inside = [], False

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        name = func.overloadpacket.__name__
        if not self.inside and name not in HARMLESS:
            self.names.append(name)
        return func(*args, **(kwargs or {}))


@contextlib.contextmanager
def _launches(ops):
    """Note the number of programs of each launch of a kernel."""
    grids, original = [], interpreter.GridExecutor.__call__

    def call(executor, *args, **kwargs):
        grid = executor.grid
        grid = grid(kwargs) if callable(grid) else grid
        grids.append(math.prod(grid) if isinstance(grid, tuple | list) else grid)
        ops.inside = True
        try:
            return original(executor, *args, **kwargs)
        finally:
            ops.inside = False

    interpreter.GridExecutor.__call__ = call
    try:
        yield grids
    finally:
        interpreter.GridExecutor.__call__ = original


def check_the_launch(work: Work):
    """`fused` launches one kernel, with several programs, and computes nothing outside the kernel."""
    out, x, bias, residual, _ = _tensors(40, 1000, torch.float32)
    with Ops() as ops, _launches(ops) as grids:
        work.fused(out, x, bias, residual)
    require(
        not ops.names,
        f"`fused` calls torch operators outside the kernel: {', '.join(ops.names)}. Each of them is a separate "
        "kernel, which reads and writes memory.",
    )
    launches = f"{len(grids)} launch{'' if len(grids) == 1 else 'es'}"
    require(
        len(grids) == 1,
        f"`fused` makes {launches} of a Triton kernel. One launch is enough, and stores nothing in between.",
    )
    require(
        grids[0] > 1,
        "All 40,000 elements are computed by one program. A GPU runs programs in parallel, so most of the GPU would "
        "be idle.",
    )


def check_odd_sizes(work: Work):
    """The result is right for sizes that aren't powers of two, and no memory past its end changes."""
    for rows, columns in SHAPES:
        out, x, bias, residual, behind = _tensors(rows, columns, torch.float32)
        work.fused(out, x, bias, residual)
        if changed := int((behind != MARK).sum()):
            raise Wrong(
                f"For a matrix of {rows} by {columns}, the kernel writes {changed} elements past the end of `out`, "
                "into another tensor. Which offsets of the last program are inside the matrix?",
            )
        work.same(out, _reference(x, bias, residual), f"The result for a matrix of {rows} by {columns}")


def check_float16(work: Work):
    """In float16, each result is the exact value, rounded once."""
    out, x, bias, residual, _ = _tensors(9, 301, torch.float16)
    work.fused(out, x, bias, residual)
    exact = _reference(x.double(), bias.double(), residual.double())
    spacing = 2.0 ** (torch.floor(torch.log2(exact.abs().clamp(min=2.0**-14))) - 10)
    error = (out.double() - exact).abs() - 4e-6  # what float32 may lose before the result is rounded
    off = (error / spacing).max().item()
    require(
        off < 0.51,
        f"A float16 result is {off:.1f} rounding steps away from the exact one. Half a step is achievable. Which dtype "
        "do the intermediate results of your kernel have?",
    )


def check_the_time(work: Work):
    """On a GPU, the kernel takes less time than eager mode (checked only if there is a GPU)."""
    if not torch.cuda.is_available():
        return
    work.fused  # the hole is reported first
    command = [sys.executable, __file__, os.environ["COMPILE_LESSONS_FILE"]]
    compiled = {**os.environ, "TRITON_INTERPRET": "0"}
    done = subprocess.run(command, env=compiled, capture_output=True, text=True)
    if done.returncode:
        last = (done.stderr.strip().splitlines() or [f"its process ended with status {done.returncode}"])[-1]
        raise Wrong(f"The kernel works in the interpreter, but not compiled for the GPU: {last}")
    own, eager = map(float, done.stdout.split()[-2:])
    times = f"On this {torch.cuda.get_device_name()}, the kernel takes {own:.3f} ms and eager mode {eager:.3f} ms"
    require(
        own < 0.8 * eager,
        f"{times}: {own / eager:.2f} times as long. A kernel that reads each input once moves 12 bytes per element, "
        "and eager mode moves 28.",
    )
    work.notes.append(f"{times}: {own / eager:.2f} times as long, for 4097 by 4099 elements in float32.")


def _tensors(rows, columns, dtype):
    """Return `out`, the inputs, and the memory behind `out`."""
    memory = torch.full((rows * columns + GUARD,), MARK, dtype=dtype)
    out = memory[: rows * columns].view(rows, columns)
    x, residual = 2 * torch.randn(2, rows, columns).to(dtype)
    return out, x, torch.randn(columns).to(dtype), residual, memory[rows * columns :]


def _reference(x, bias, residual):
    return residual + F.gelu(x + bias, approximate="tanh")


def _main():
    """Compare the kernel's time on the GPU with eager mode's, in a process whose Triton compiles."""
    from triton.testing import do_bench

    spec = importlib.util.spec_from_file_location("_answer", sys.argv[1])
    answer = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(answer)
    x, residual = torch.randn(2, 4097, 4099, device="cuda")
    out, bias = torch.empty_like(x), torch.randn(4099, device="cuda")
    answer.fused(out, x, bias, residual)
    torch.testing.assert_close(out, _reference(x, bias, residual))
    print(do_bench(lambda: answer.fused(out, x, bias, residual), return_mode="median"))
    print(do_bench(lambda: _reference(x, bias, residual), return_mode="median"))


if __name__ == "__main__":
    _main()

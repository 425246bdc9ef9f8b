# /// lesson
# needs = ["gpu", "triton"]
# gpus = 2
# timeout = 240
# memory = 65536
# ///
"""Forward and backward of experts on two GPUs, in eager mode and compiled."""

import warnings

import torch
from _experts import Counted, Padded
from _tensor_parallel import milliseconds, rows_compared_with_the_first
from _two import on_two_processes

from compile_lessons import Table, show

warnings.filterwarnings("ignore", "\nOnline softmax is disabled")  # of the router
WIDTH = 2048
HIDDEN = 8192
TOKENS = 16384  # on each GPU
CASES = {
    "counted, eager": (Counted, None, False),
    "counted, compiled": (Counted, "inductor", False),
    "counted, capture_scalar_outputs": (Counted, "inductor", True),
    "padded, eager": (Padded, None, False),
    "padded, compiled": (Padded, "inductor", False),
}


def steps(model, backend):
    def step(x):
        result = call(x)
        result.square().mean().backward()
        return result

    call = torch.compile(model, backend=backend) if backend else model
    return step


def measure(rank):
    torch.manual_seed(rank)
    x = torch.randn(TOKENS, WIDTH, device="cuda", dtype=torch.bfloat16)
    times = {}
    for name, (kind, backend, capture_scalars) in CASES.items():
        torch.manual_seed(0)
        with torch.device("cuda"):
            model = kind(WIDTH, HIDDEN).to(torch.bfloat16)
        torch.compiler.reset()  # else a case could run the versions of another one
        torch._dynamo.config.capture_scalar_outputs = capture_scalars
        step = steps(model, backend)
        expected = model(x)
        for batch in (x, x.flip(1), x):  # other counts, then the same again
            result = step(batch)
        torch.testing.assert_close(result, expected, rtol=0.1, atol=0.02)
        times |= milliseconds({name: (step, x)})
    return times


rows = rows_compared_with_the_first(on_two_processes(measure, "nccl"))
show(Table(["forward and backward", "ms", "of seven", "of the first"], rows))
# region checks
eager_ms = float(rows[0][1])
compiled_ms = float(rows[1][1])
captured_ms = float(rows[2][1])
padded_eager_ms = float(rows[3][1])
padded_ms = float(rows[4][1])
# endregion

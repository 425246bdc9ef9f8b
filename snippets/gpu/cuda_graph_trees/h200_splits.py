# /// lesson
# needs = ["gpu", "triton"]
# memory = 16384
# env = {TORCH_LOGS = "perf_hints", TORCH_LOGS_FORMAT = "%(message)s"}
# varies.output = ['/\S+/']
# ///
"""What splits a CUDA graph, and what disables it."""

import torch
from _launches import graphs_launched

from compile_lessons import Table, show


# region operators
@torch.library.custom_op("lesson::plain", mutates_args=())
def plain(x: torch.Tensor) -> torch.Tensor:
    return x + 1


@torch.library.custom_op(
    "lesson::unsafe", mutates_args=(), tags=(torch.Tag.cudagraph_unsafe,)
)
def unsafe(x: torch.Tensor) -> torch.Tensor:
    return x + 1


plain.register_fake(torch.empty_like)
unsafe.register_fake(torch.empty_like)
# endregion


# region functions
def on_the_cpu(x):
    total = (x * 2).sum().cpu() + 1
    return x - total.to("cuda")


def selects(x):
    return (x * 2)[x > 0] + 1


def branches(x):
    return torch.cond(x.sum() > 0, torch.sin, torch.cos, (x,)) * 2


functions = {
    "a custom operator": lambda x: plain(x * 2) * 3,
    "the same with cudagraph_unsafe": lambda x: unsafe(x * 2) * 3,
    "two of them": lambda x: unsafe(unsafe(x * 2) * 3) * 4,
    "addition on the CPU": on_the_cpu,
    "x[x > 0]": selects,
    "torch.cond": branches,
}
# endregion

# region count
torch._dynamo.config.capture_dynamic_output_shape_ops = True
rows = []
for name, function in functions.items():
    print(f"{name}:", flush=True)
    torch.compiler.reset()
    compiled = torch.compile(function, mode="reduce-overhead")
    inputs = [torch.randn(64, device="cuda") for _ in range(4)]
    for x in inputs[:3]:
        compiled(x)
    rows.append([name, graphs_launched(compiled, inputs[3])])
show(Table(["the function", "CUDA graphs a call"], rows))
# endregion
# region checks
graphs = dict(rows)
assert graphs["a custom operator"] == 1
assert graphs["the same with cudagraph_unsafe"] == 2
# endregion

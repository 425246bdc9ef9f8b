# /// lesson
# needs = ["gpu", "triton"]
# memory = 16384
# env = {TORCH_LOGS = "perf_hints", TORCH_LOGS_FORMAT = "%(message)s"}
# varies.output = ['/\S+/']
# ///
"""What splits a CUDA graph, and what disables it."""

import torch
from torch.profiler import ProfilerActivity, profile

from compile_lessons import Table, show


@torch.library.custom_op("lesson::plain", mutates_args=())
def plain(x: torch.Tensor) -> torch.Tensor:
    return x + 1


unsafe_tag = (torch.Tag.cudagraph_unsafe,)


@torch.library.custom_op("lesson::unsafe", mutates_args=(), tags=unsafe_tag)
def unsafe(x: torch.Tensor) -> torch.Tensor:
    return x + 1


for operator in (plain, unsafe):
    operator.register_fake(torch.empty_like)


def on_the_cpu(x):
    sums = (x * 2).sum().cpu() + 1
    return x - sums.to("cuda")


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
torch._dynamo.config.capture_dynamic_output_shape_ops = True
rows = []
for name, function in functions.items():
    print(f"{name}:", flush=True)
    torch.compiler.reset()
    compiled = torch.compile(function, mode="reduce-overhead")
    inputs = [torch.randn(64, device="cuda") for _ in range(4)]
    for x in inputs[:3]:
        compiled(x)
    with profile(activities=[ProfilerActivity.CUDA], acc_events=True) as profiler:
        compiled(inputs[3])
        torch.cuda.synchronize()
    averages = profiler.key_averages()
    launches = sum(one.count for one in averages if one.key == "cudaGraphLaunch")
    rows.append([name, launches])
show(Table(["the function", "CUDA graphs a call"], rows))
# region checks
graphs = dict(rows)
assert graphs["a custom operator"] == 1
assert graphs["the same with cudagraph_unsafe"] == 2
# endregion

# /// lesson
# needs = ["gpu", "triton"]
# memory = 16384
# env = {TORCHINDUCTOR_FORCE_DISABLE_CACHES = "1"}
# ///
"""Which inputs are copied before a replay: an argument, but no output or parameter."""

import torch
from torch.autograd import DeviceType
from torch.profiler import ProfilerActivity, profile

from compile_lessons import Table, show


class Scale(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.ones(2**26))

    def forward(self, x):
        return self.weight * x


@torch.compile(mode="reduce-overhead")
def encode(x):
    return x.expand(2**26) + 1


def copying(step, *arguments):
    """Return the microseconds of a replayed step that are not those of kernels."""
    for _ in range(4):
        torch.compiler.cudagraph_mark_step_begin()
        step(*arguments)
    with profile(activities=[ProfilerActivity.CUDA], acc_events=True) as profiler:
        torch.compiler.cudagraph_mark_step_begin()
        step(*arguments)
        torch.cuda.synchronize()
    events = [one for one in profiler.events() if one.device_type == DeviceType.CUDA]
    work = [one for one in events if not one.is_user_annotation]
    return sum(one.time_range.elapsed_us() for one in work if "triton_" not in one.name)


large = torch.randn(2**26, device="cuda")
marked = torch.randn(2**26, device="cuda")
torch._dynamo.mark_static_address(marked)
one = torch.ones(1, device="cuda")
model = Scale().cuda().requires_grad_(False)
scale = torch.compile(model, mode="reduce-overhead")
steps = {
    "an argument of 256 MiB": (scale, large),
    "the same with mark_static_address": (scale, marked),
    "an argument of 4 bytes": (scale, one),
    "an output of 256 MiB": (lambda x: scale(encode(x)), one),
}
rows = []
times = []
for name, (step, argument) in steps.items():
    torch.compiler.reset()
    times.append(copying(step, argument))
    rows.append([name, f"{times[-1]:.0f} µs"])
show(Table(["the model's input", "copying before a replay"], rows))
# region checks
assert times[0] > 10 * times[2]
# endregion

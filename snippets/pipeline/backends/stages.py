# /// lesson
# needs = ["compiler"]
# varies.output = ['\d[\d,.]* ms', '\d+ %']
# varies.values = [
#     "dynamo_ms", "aot_ms", "inductor_ms", "cpp_ms", "total_ms", "cpp_share",
#     "backend_ms", "inside_inductor_ms", "scale",
# ]
# ///
"""Where the time of the first call goes."""

import random

import torch
from torch._dynamo.utils import compilation_time_metrics

from compile_lessons import Table, show

scale = random.uniform(1.7, 1.8)  # never seen before, so that no kernel of an earlier run fits


def quick_gelu(x):
    return x * torch.sigmoid(scale * x)


def milliseconds(name):
    return sum(compilation_time_metrics[name]) * 1e3


x = torch.linspace(-4, 4, 512)
torch.compile(torch.neg)(x)  # imports and starts the compiler, which is not what we time
compilation_time_metrics.clear()
torch.compile(quick_gelu)(x)

total_ms = milliseconds("_compile.compile_inner")
backend_ms = milliseconds("OutputGraph.call_user_compiler")
inside_inductor_ms = milliseconds("compile_fx.<locals>.fw_compiler_base")
cpp_ms = milliseconds("compile_file")

dynamo_ms, aot_ms = total_ms - backend_ms, backend_ms - inside_inductor_ms
inductor_ms, cpp_share = inside_inductor_ms - cpp_ms, 100 * cpp_ms / total_ms
stages = {"Dynamo": dynamo_ms, "AOTAutograd": aot_ms, "Inductor": inductor_ms, "C++ compiler": cpp_ms}
show(Table(["stage", "time", "share"], [[k, f"{v:,.1f} ms", f"{100 * v / total_ms:.0f} %"] for k, v in stages.items()]))
assert min(stages.values()) > 0

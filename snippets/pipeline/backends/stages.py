# /// lesson
# needs = ["compiler"]
# varies.output = ['\d[\d,.]* ms', '\d+ %']
# varies.values = ["total", "backend", "inductor", "cpp", "cpp_share", "spent", "scale"]
# ///
"""Where the time of the first call goes."""

import random

import torch
from torch._dynamo.utils import compilation_time_metrics  # private: no public times

from compile_lessons import Table, show

scale = random.uniform(1.7, 1.8)  # a new constant: no kernel of an earlier run fits


def quick_gelu(x):
    return x * torch.sigmoid(scale * x)


def milliseconds(name):
    return sum(compilation_time_metrics[name]) * 1e3


x = torch.linspace(-4, 4, 512)
torch.compile(torch.neg)(x)  # starts the compiler, which is not what we time
compilation_time_metrics.clear()
torch.compile(quick_gelu)(x)

# each of these times contains the next one
total = milliseconds("_compile.compile_inner")
backend = milliseconds("OutputGraph.call_user_compiler")
inductor = milliseconds("compile_fx.<locals>.fw_compiler_base")
cpp = milliseconds("compile_file")
times = {
    "Dynamo": total - backend,
    "AOTAutograd": backend - inductor,
    "Inductor": inductor - cpp,
    "C++ compiler": cpp,
}
rows = []
for stage, spent in times.items():
    rows.append([stage, f"{spent:,.1f} ms", f"{100 * spent / total:.0f} %"])
show(Table(["stage", "time", "share"], rows))
cpp_share = 100 * cpp / total

# region checks
assert total > backend > inductor > cpp > 0
# endregion

# /// lesson
# needs = ["compiler"]
# ///
"""Set freezing globally; as an option it does not freeze the weights."""

import torch
import torch._inductor.config

from compile_lessons import Table, capture, show

model = torch.nn.Sequential(torch.nn.Linear(128, 256), torch.nn.ReLU()).eval()
x, rows = torch.ones(64, 128), []
for how, options, setting in [
    ("nothing", None, False),
    ('options={"freezing": True}', {"freezing": True}, False),
    ("torch._inductor.config.freezing = True", None, True),
]:
    torch._inductor.config.freezing = setting
    with torch.no_grad():
        [graph] = capture(model, options=options, machine_code=False)(x).graphs
    code = graph.inductor[0].output_code
    calls = [kernel.name for kernel in graph.kernels if kernel.kind == "extern"]
    rows.append([how, "constants" if "frozen_param" in code else "inputs", " ".join(calls)])
show(Table(["freezing is set by", "the weights are", "library calls"], rows))

# region checks
assert [row[1] for row in rows] == ["inputs", "inputs", "constants"]
# endregion

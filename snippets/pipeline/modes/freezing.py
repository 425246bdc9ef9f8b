# /// lesson
# needs = ["compiler"]
# ///
"""Set freezing globally; as an option it does not freeze the weights."""

import torch
import torch._inductor.config

from compile_lessons import Table, capture, show

model = torch.nn.Sequential(torch.nn.Linear(128, 256), torch.nn.ReLU()).eval()


def describe_weights(options=None):
    with torch.no_grad():
        captured = capture(model, options=options, machine_code=False)
        [graph] = captured(torch.ones(64, 128)).graphs
    frozen = "frozen_param" in graph.inductor[0].output_code
    calls = [kernel.name for kernel in graph.kernels if kernel.kind == "extern"]
    return ["constants" if frozen else "inputs", " ".join(calls)]


rows = [["nothing", *describe_weights()]]
rows.append(['options={"freezing": True}', *describe_weights({"freezing": True})])
torch._inductor.config.freezing = True
rows.append(["torch._inductor.config.freezing = True", *describe_weights()])
show(Table(["freezing is set by", "the weights are", "library calls"], rows))

# region checks
assert [row[1] for row in rows] == ["inputs", "inputs", "constants"]
# endregion

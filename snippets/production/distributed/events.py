# /// lesson
# env = {TORCH_LOGS = "-dynamo"}
# ///
"""When DDP sends gradients: in eager mode, with the compiled model split at its buckets, and with one graph."""

import torch
from _ddp import Model, average
from _two import on_two_processes
from functorch.compile import make_boxed_func
from torch._dynamo.backends.common import aot_autograd
from torch.nn.parallel import DistributedDataParallel

from compile_lessons import Table, show


def backend(events):
    def note_layers(graph, inputs):
        layers = sum(node.target == torch.ops.aten.threshold_backward.default for node in graph.graph.nodes)
        note = f"graph with {layers} of the layers"
        return make_boxed_func(lambda *args: events.append(note) or graph.forward(*args))

    return aot_autograd(fw_compiler=lambda graph, inputs: make_boxed_func(graph.forward), bw_compiler=note_layers)


def run(name, optimize_ddp):
    torch._dynamo.config.optimize_ddp, events = optimize_ddp, []
    ddp = DistributedDataParallel(Model(), bucket_cap_mb=1.5)
    ddp.register_comm_hook(events, lambda events, bucket: events.append("send a bucket") or average(bucket))
    model = ddp if name == "eager" else torch.compile(ddp, backend=backend(events))
    for _ in range(2):  # DDP arranges its buckets in the first step
        events.clear()
        model(torch.ones(2, 512)).sum().backward()
    return [name, " → ".join(events)]


def compare(rank):
    settings = {"eager": True, "compiled": True, "compiled, optimize_ddp=False": False}
    return [run(name, optimize_ddp) for name, optimize_ddp in settings.items()]


rows = on_two_processes(compare)
show(Table(["model", "in the backward pass, in this order"], rows))
# region checks
first_sends = [row[1].split(" → ").index("send a bucket") for row in rows]
assert rows[0][1].count("send") == rows[1][1].count("send") == rows[2][1].count("send") == 2
assert rows[1][1].endswith("graph with 1 of the layers → send a bucket") and rows[1][1].count("graph") == 3
assert rows[2][1] == "graph with 4 of the layers → send a bucket → send a bucket"
# endregion

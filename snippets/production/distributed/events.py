# /// lesson
# env = {TORCH_LOGS = "-dynamo"}
# ///
"""When DDP sends gradients: in eager mode, split at buckets, and with one graph."""

import torch
from _ddp import Model, average
from _ranks import on_two_ranks
from functorch.compile import make_boxed_func
from torch._dynamo.backends.common import aot_autograd  # private: builds a backend
from torch.nn.parallel import DistributedDataParallel

from compile_lessons import Table, show


def note_runs(events):
    """Return a backend that notes each run of a backward graph, with its layers."""
    relu_backward = torch.ops.aten.threshold_backward.default

    def compile_forward(graph, _):
        return make_boxed_func(graph.forward)

    def compile_backward(graph, _):
        layers = sum(node.target == relu_backward for node in graph.graph.nodes)

        def run(*arguments):
            events.append(f"graph with {layers} of the layers")
            return graph.forward(*arguments)

        return make_boxed_func(run)

    return aot_autograd(fw_compiler=compile_forward, bw_compiler=compile_backward)


# region run
def backward_events(compiled):
    events = []

    def send(state, bucket):
        events.append("send a bucket")
        return average(bucket)

    ddp = DistributedDataParallel(Model(), bucket_cap_mb=1.5)
    ddp.register_comm_hook(None, send)
    model = torch.compile(ddp, backend=note_runs(events)) if compiled else ddp
    for _ in range(2):  # DDP arranges its buckets in the first step
        events.clear()
        model(torch.ones(2, 512)).sum().backward()
    return " → ".join(events)


def compare(rank):
    eager = backward_events(compiled=False)
    split = backward_events(compiled=True)
    torch._dynamo.config.optimize_ddp = False
    whole = backward_events(compiled=True)
    return [
        ["eager", eager],
        ["compiled", split],
        ["compiled, optimize_ddp=False", whole],
    ]


# endregion
rows = on_two_ranks(compare)
show(Table(["model", "in the backward pass, in this order"], rows))

# region checks
eager, split, whole = (row[1] for row in rows)
assert eager.count("send") == split.count("send") == whole.count("send") == 2
assert split.count("graph") == 3
assert split.endswith("graph with 1 of the layers → send a bucket")
assert whole == "graph with 4 of the layers → send a bucket → send a bucket"
# endregion

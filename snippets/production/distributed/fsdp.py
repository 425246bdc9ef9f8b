# /// lesson
# env = {TORCH_LOGS = "-dynamo"}
# ///
"""FSDP2: what is captured if the sharded model is compiled, and if its blocks are."""

import torch
from _blocks import Model
from _two import on_two_processes
from torch.distributed.fsdp import fully_shard

from compile_lessons import Table, show


def operators(compiled):
    graphs, model = [], Model()
    backend = lambda graph, inputs: graphs.append(graph) or graph.forward  # noqa: E731
    for block in model.blocks:
        if compiled == "each block":
            block.compile(backend=backend)
        fully_shard(block)
    fully_shard(model)
    step = torch.compile(model, backend=backend) if compiled == "the model" else model
    step(torch.ones(2, 8)).sum().backward()
    names = [node.target.__name__ for graph in graphs for node in graph.graph.nodes if node.op == "call_function"]
    return [compiled, len(graphs), ", ".join(names)]


rows = on_two_processes(lambda rank: [operators("the model"), operators("each block")])
show(Table(["compiled", "graphs", "operators of all graphs"], rows))
# region checks
assert [row[1:] for row in rows] == [[1, "linear, gelu, linear"]] * 2
# endregion

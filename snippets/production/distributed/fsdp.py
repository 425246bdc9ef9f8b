# /// lesson
# env = {TORCH_LOGS = "-dynamo"}
# ///
"""FSDP2: what is captured if the sharded model is compiled, and if its blocks are."""

import torch
from _blocks import Model
from _ranks import on_two_ranks
from torch.distributed.fsdp import fully_shard

from compile_lessons import Table, keep_graphs, show


def compile_and_shard(compiled, kept):
    model = Model()
    for block in model.blocks:
        if compiled == "each block":
            block.compile(backend=kept)
        fully_shard(block)
    fully_shard(model)
    return torch.compile(model, backend=kept) if compiled == "the model" else model


def operators(compiled):
    kept = keep_graphs()
    compile_and_shard(compiled, kept)(torch.ones(2, 8)).sum().backward()
    nodes = [node for graph in kept.graphs for node in graph.graph.nodes]
    names = [node.target.__name__ for node in nodes if node.op == "call_function"]
    return [compiled, len(kept.graphs), ", ".join(names)]


rows = on_two_ranks(lambda rank: [operators("the model"), operators("each block")])
show(Table(["compiled", "graphs", "operators of all graphs"], rows))

# region checks
assert [row[1:] for row in rows] == [[1, "linear, gelu, linear"]] * 2
# endregion

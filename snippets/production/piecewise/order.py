"""Attention fills a buffer that the next piece reads, and no edge says so."""

import torch
from _backend import split
from _decoder import ATTENTION, Decoder, new_requests, next_tokens

from compile_lessons import Table, show


def decode(function):
    new_requests(layers=2, lengths=[3, 1, 2])
    with torch.inference_mode():
        return function(next_tokens(3))


def run_pieces(model, keep_original_order):
    def split_only(graph_module, example_inputs):
        graph = split(graph_module, ATTENTION, keep_original_order)
        calls.extend(graph.graph.find_nodes(op="call_module"))
        return graph.forward

    calls = []
    torch.compiler.reset()
    result = decode(torch.compile(model, backend=split_only))
    same = torch.allclose(result, decode(model), atol=1e-5)
    order = " ".join(call.target.removeprefix("submod_") for call in calls)
    return [keep_original_order, order, "yes" if same else "no"]


model = Decoder(layers=2)
rows = [run_pieces(model, True), run_pieces(model, False)]
show(Table(["keep_original_order", "order of the pieces", "matches eager"], rows))

# region checks
assert rows == [[True, "0 1 2 3 4", "yes"], [False, "0 2 4 3 1", "no"]]
# endregion

# /// lesson
# needs = ["compiler"]
# ///
"""How many pieces a model has, and how many of them Inductor compiles."""

import torch
from _backend import Piece, Piecewise
from _decoder import ATTENTION, Decoder, new_requests, next_tokens

# private: torch has no public counters, and no public empty cache
from torch._dynamo.utils import counters
from torch._inductor.utils import fresh_cache  # private, as above

from compile_lessons import Table, show


def count_pieces(model):
    torch.compiler.reset()
    counters.clear()
    backend = Piecewise(ATTENTION)
    new_requests(len(model.layers), [3, 1, 2])
    with torch.inference_mode():
        torch.compile(model, backend=backend, fullgraph=True)(next_tokens(3))
    [graph] = backend.graphs
    children = list(graph.children())
    pieces = sum(isinstance(child, Piece) for child in children)
    compiled = counters["aot_autograd"]["autograd_cache_miss"]
    return [pieces, len(children) - pieces, compiled, pieces - compiled]


rows = []
with fresh_cache():
    rows.append(["12 layers", *count_pieces(Decoder(12))])
    rows.append(["2 layers", *count_pieces(Decoder(2))])
    rows.append(["3 layers, own scales", *count_pieces(Decoder(3, [0.5, 0.6, 0.7]))])
head = ["model", "pieces", "calls of attention", "compiled", "from the cache"]
show(Table(head, rows))

# region checks
assert [row[1:] for row in rows] == [[13, 12, 3, 10], [3, 2, 0, 3], [4, 3, 3, 1]]
# endregion

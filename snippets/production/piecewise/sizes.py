# /// lesson
# needs = ["compiler"]
# ///
"""One trace and one compile serve all numbers of tokens; 8 has code of its own."""

import torch
from _backend import Piecewise
from _decoder import ATTENTION, Decoder, new_requests, next_tokens

from compile_lessons import Table, show

# region serve
backend = Piecewise(ATTENTION, compile_sizes=(8,))
model = Decoder(layers=1)
no_guards = {"guard_filter_fn": torch.compiler.skip_all_guards_unsafe}
compiled = torch.compile(model, backend=backend, fullgraph=True, options=no_guards)
differences = []
with torch.inference_mode():
    for count in (5, 8, 1, 64, 8):
        lengths = [request % 4 for request in range(count)]
        new_requests(layers=1, lengths=lengths)
        expected = model(next_tokens(count))
        new_requests(layers=1, lengths=lengths)
        result = compiled(next_tokens(count))
        differences.append((result - expected).abs().max().item())

[graph] = backend.graphs  # Dynamo traced once
first, _, last = graph.children()
show(Table(["tokens", "the code that ran, of each piece"], first.calls))
# endregion

# region checks
assert first.calls == last.calls
assert [code for _, code in first.calls] == ["any", "8", "any", "any", "8"]
assert max(differences) < 1e-5
# endregion

"""A method that isn't forward: compiled by name."""

import torch
from _model import Model, count_operations

from compile_lessons import Table, keep_graphs, show


class Encoder(Model):
    # region method
    def encode(self, tokens):
        return torch.nn.functional.normalize(self(tokens).mean(1), dim=-1)

    # endregion


in_place = keep_graphs()
model = Encoder()
model.compile(backend=in_place)

wrapped = keep_graphs()
wrapper = torch.compile(Encoder(), backend=wrapped)

by_name = keep_graphs()


class CompiledEncoder(Encoder):
    encode = torch.compile(Encoder.encode, backend=by_name)


encoders = {
    "model.compile()": (model, in_place),
    "torch.compile(model)": (wrapper, wrapped),
    "@torch.compile above encode": (CompiledEncoder(), by_name),
}
tokens = torch.randint(0, 64, (4, 8))
rows = []
for name, (encoder, kept) in encoders.items():
    encoder.encode(tokens)
    operations = sum(count_operations(graph) for graph in kept.graphs)
    rows.append([name, len(kept.graphs), operations])
show(Table(["compiled with", "graphs in model.encode(x)", "operations in them"], rows))

# region checks
assert [row[1:] for row in rows] == [[1, 32], [0, 0], [1, 34]]
# endregion

"""Compile the module in place for generate(), and decorate other methods."""

from torch import compiler, nn, ones

from compile_lessons import keep_graphs

kept = keep_graphs()
compiler.set_default_backend(kept)
x = ones(4)
# region copy
import torch


class Model(nn.Module):
    def forward(self, x):
        return x.sin() + 1

    def generate(self, x):
        return self(self(x))

    @torch.compile
    def embed(self, x):
        return x.cos() + 1


model = Model()
model.compile()
y = model.generate(x)  # its calls to self(x) are compiled
z = model.embed(x)
# endregion
print("graphs:", len(kept.graphs))

# region checks
assert len(kept.graphs) == 2
assert list(model.state_dict()) == []
# endregion

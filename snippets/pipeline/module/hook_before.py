"""Register a hook on an inner layer first, then compile: the hook runs."""

from torch import compiler, nn, ones

from compile_lessons import keep_graphs

kept = keep_graphs()
compiler.set_default_backend(kept)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 4)

    def forward(self, x):
        return self.layer(x)


model = Model()


# region copy
def hook(module, inputs, output):
    # a list that grows would trigger a recompile at each call
    module.kept = output


model.layer.register_forward_hook(hook)  # before the first call
model.compile()
# endregion
x = ones(2, 4)
for _ in range(5):
    model(x)

# region checks
assert len(kept.graphs) == 1
assert model.layer.kept.equal(model.layer.forward(x))
# endregion

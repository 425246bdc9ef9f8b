"""Register a hook on an inner layer first, then compile: the hook runs."""

from torch import compiler, nn, ones

compiler.set_default_backend("eager")  # so that this program needs no C++ compiler
calls = []


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 4)

    def forward(self, x):
        return self.layer(x)


def hook(module, inputs, output):
    calls.append(1)


model = Model()
# region copy
model.layer.register_forward_hook(hook)  # before the first call
model.compile()
# endregion
model(ones(2, 4))
model(ones(2, 4))

# region checks
assert len(calls) == 2
# endregion

"""A library asks whether torch is installed before it is imported, as transformers does; then nothing is compiled."""

import importlib.util

assert importlib.util.find_spec("torch")

import torch  # noqa: E402

model = torch.nn.Linear(4, 4)
fast = torch.compile(model, backend="eager")  # finding: nothing-compiled
for _ in range(5):
    model(torch.ones(2, 4))

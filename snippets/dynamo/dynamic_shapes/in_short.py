"""Mark a dimension before the first call."""

import torch

from compile_lessons import keep_graphs

kept = keep_graphs()
model = torch.nn.Linear(3, 2)
compiled = torch.compile(model, backend=kept)
loader = torch.ones(11, 3).split([4, 4, 3])
device = "cpu"
# region copy
for step, batch in enumerate(loader):
    inputs = batch.to(device)
    if step == 0:  # before the first call: the batch size will change
        torch._dynamo.mark_dynamic(inputs, 0)
    output = compiled(inputs)
# endregion

# region checks
assert len(kept.graphs) == 1
assert output.shape == (3, 2)
# endregion

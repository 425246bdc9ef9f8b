"""The program warms up, and then sets the number of threads for its requests."""

import torch


@torch.compile(backend="eager", dynamic=False)
def embed(tokens):
    return torch.nn.functional.normalize(tokens * 2.0, dim=-1)


for length in (8, 16):
    embed(torch.ones(length, 4))
torch.set_num_threads(torch.get_num_threads() + 1)  # finding: setting-changed
for length in (8, 16, 8):
    embed(torch.ones(length, 4))

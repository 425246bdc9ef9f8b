"""A loop over chunks is compiled as a whole."""

import torch


@torch.compile(backend="eager")
def scan(state, chunks):
    for chunk in chunks:
        update = torch.nn.functional.silu(chunk @ state)  # finding: unrolled-loop
        state = torch.nn.functional.normalize(state + update.mT @ chunk, dim=-1)
    return state


scan(torch.ones(4, 4), torch.ones(300, 4, 4))

"""A loop over chunks is compiled as a whole."""

import torch


@torch.compile(backend="eager")
def scan(state, chunks):
    for chunk in chunks:  # finding: unrolled-loop
        update = torch.nn.functional.silu(chunk @ state)
        state = torch.nn.functional.normalize(state + update.mT @ chunk, dim=-1)
    return state


scan(torch.ones(4, 4), torch.ones(300, 4, 4))

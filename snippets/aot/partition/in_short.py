"""Trade compute for memory: a checkpoint around a block, or a budget for the whole function."""

# region copy
import torch
import torch._functorch.config
from torch.utils.checkpoint import checkpoint

block = torch.nn.Sequential(torch.nn.Linear(8, 8), torch.nn.GELU())


@torch.compile(backend="aot_eager")  # leave the backend out for Inductor
def step(x):
    return checkpoint(block, x, use_reentrant=False).sum()


torch._functorch.config.activation_memory_budget = 0.5  # 1.0 is the default, 0.0 recomputes all it can
# endregion

x = torch.ones(4, 8)
step(x).backward()
print("compiled:", block[0].weight.grad.norm().item() > 0)
# region checks
expected, block[0].weight.grad = block[0].weight.grad, None
block(x).sum().backward()
torch.testing.assert_close(block[0].weight.grad, expected)
# endregion

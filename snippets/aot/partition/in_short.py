"""Trade compute for memory: a checkpoint around each block, or a budget."""

# region checkpoint
import torch
from torch.utils.checkpoint import checkpoint


class Model(torch.nn.Module):
    def __init__(self, blocks):
        super().__init__()
        self.blocks = torch.nn.ModuleList(blocks)

    def forward(self, x):
        for block in self.blocks:
            x = checkpoint(block, x, use_reentrant=False)
        return x


# endregion
# region budget
import torch._functorch.config

torch._functorch.config.activation_memory_budget = 0.5  # private; the default is 1.0
# endregion

torch.manual_seed(0)
blocks = [torch.nn.Linear(8, 8), torch.nn.Linear(8, 8)]
model = Model(blocks)
compiled = torch.compile(model, backend="aot_eager")
x = torch.ones(4, 8)
compiled(x).sum().backward()
gradient = blocks[0].weight.grad
print("gradient of the first weight:", round(gradient.sum().item(), 3))
# region checks
model.zero_grad()
blocks[1](blocks[0](x)).sum().backward()
torch.testing.assert_close(gradient, blocks[0].weight.grad)
# endregion

"""Trade compute for memory: a checkpoint around each block, or a budget for all compiled functions."""

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

torch._functorch.config.activation_memory_budget = 0.5  # before the first call; the default is 1.0
# endregion

torch.manual_seed(0)
model = Model(torch.nn.Sequential(torch.nn.Linear(8, 8), torch.nn.GELU()) for _ in range(2))
compiled, x = torch.compile(model, backend="aot_eager"), torch.ones(4, 8)
compiled(x).sum().backward()
print("gradient of the first weight:", round(model.blocks[0][0].weight.grad.sum().item(), 3))
# region checks
expected = model.blocks[0][0].weight.grad
model.zero_grad()
for block in model.blocks:
    x = block(x)
x.sum().backward()
torch.testing.assert_close(model.blocks[0][0].weight.grad, expected)
# endregion

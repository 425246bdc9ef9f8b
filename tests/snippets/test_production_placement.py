"""Each place that docs/production/placement.md names trains the same model."""

import pytest
import torch
from torch import nn

from training import assert_trains_like_eager

SEEDED = torch.Generator().manual_seed(0)
#: Small numbers: two bilinear layers square them twice, and could overflow in the second step.
BATCHES = [(0.3 * torch.randn(rows, 5, 8, generator=SEEDED),) for rows in (4, 4, 3)]


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = nn.LayerNorm(8)
        self.linear = nn.Linear(8, 8)

    def forward(self, x):
        return x + torch.relu(self.linear(self.norm(x)))


class Layer(nn.Bilinear):
    """A layer of torch's, whose subclass has a forward of its own."""

    def __init__(self):
        super().__init__(8, 8, 8)

    def forward(self, x):
        return super().forward(x, x)


class Region(Block):
    def __init__(self):
        super().__init__()
        self.share = torch.rand(())

    @torch.compiler.nested_compile_region
    def forward(self, x):
        return x + torch.relu(self.linear(self.norm(x))) * self.share


def each_block(model):
    for block in model:
        block.compile(backend="aot_eager")
    return model


def the_model(model):
    return torch.compile(model, backend="aot_eager")


def a_function(model):
    encode = torch.compile(lambda model, x: model(x), backend="aot_eager")
    return lambda x: encode(model, x)


@pytest.mark.parametrize(
    ("kind", "compiled"),
    [(Block, each_block), (Layer, each_block), (Block, the_model), (Region, the_model), (Block, a_function)],
)
def test_each_place_trains_like_eager_mode(kind, compiled):
    assert_trains_like_eager(lambda: nn.Sequential(*[kind() for _ in range(2)]), BATCHES, compiled)

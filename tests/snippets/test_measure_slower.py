"""What docs/measure/slower.md advises trains like eager mode."""

import pytest
import torch
from torch import nn

from training import assert_trains_like_eager

BATCHES = [(torch.randn(rows, 8),) for rows in (4, 4, 3)]


class Noisy(nn.Linear):
    step = 0

    def forward(self, x):
        return torch.tanh(super().forward(x)) * self.step


class Norms(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList(nn.Linear(8, 8) for _ in range(3))

    def forward(self, x):
        norms = []
        for layer in self.layers:
            x = torch.relu(layer(x)) + 0.1
            norms.append(x.detach().norm())
        return x, norms


def count(model):
    model.step = torch.as_tensor(model.step) + 1


@pytest.mark.parametrize(("make", "before"), [(lambda: Noisy(8, 8), count), (Norms, lambda model: None)])
def test_a_tensor_in_place_of_a_number_trains(make, before):
    assert_trains_like_eager(make, BATCHES, lambda model: torch.compile(model, backend="aot_eager"), before=before)


MAGNITUDES = {
    "abs": lambda real, imaginary: torch.complex(real, imaginary).abs(),
    "square root": lambda real, imaginary: torch.sqrt(real**2 + imaginary**2),
    "norm": lambda real, imaginary: torch.stack([real, imaginary]).norm(dim=0),
}


@pytest.mark.parametrize("magnitude", MAGNITUDES)
def test_which_magnitude_has_a_gradient_at_0(magnitude):
    parts = torch.tensor([[1.0, 0.0], [2.0, 0.0]], requires_grad=True)
    torch.compile(lambda parts: MAGNITUDES[magnitude](*parts), backend="aot_eager")(parts).sum().backward()
    assert parts.grad[:, 0].square().sum() == pytest.approx(1)
    assert parts.grad[:, 1].isnan().any() == (magnitude == "square root")
    assert magnitude == "square root" or not parts.grad[:, 1].any()

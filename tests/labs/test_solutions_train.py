"""The solutions of labs that rewrite a model: compiled, they train as the stub does in eager mode."""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import torch
from torch import nn

from training import train

LABS = Path(__file__).parents[2] / "snippets/labs"


def program(lab: str, file: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"{file}_of_{lab}", LABS / lab / f"{file}.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # Dynamo imports the module of a function that it traces
    spec.loader.exec_module(module)
    return module


class AfterALayer(nn.Module):
    """A layer in front, so that what the lab is about has to hand on a gradient."""

    def __init__(self, layer: nn.Module, inner: nn.Module) -> None:
        super().__init__()
        self.layer, self.inner = layer, inner

    def forward(self, x: torch.Tensor) -> Any:
        return self.inner(self.layer(x))


#: The class, the layer in front, and inputs, of which the last one has another size.
CASES: dict[str, tuple[str, Any, list[torch.Tensor]]] = {
    "three_breaks": ("FeedForward", lambda: nn.Linear(8, 8), [9 * torch.randn(rows, 8) for rows in (4, 4, 3)]),
    "fewer_bytes_for_backward": ("Model", nn.Identity, [torch.randn(rows, 16) for rows in (4, 4, 3)]),
    "slow_part": ("Model", nn.Identity, [torch.randn(2, frames, 64) for frames in (5, 5, 7)]),
    "two_kernels_into_one": ("QKNorm", lambda: nn.Linear(64, 64), [torch.randn(n, 12, 64) for n in (3, 3, 2)]),
}


@pytest.mark.parametrize("lab", CASES)
def test_a_solution_trains_like_the_stub(lab: str) -> None:
    name, layer, inputs = CASES[lab]
    states = []
    with torch._dynamo.config.patch(reorderable_logging_functions=set()):  # to which a solution adds print
        for file in ("stub", "solution"):
            torch.manual_seed(0)
            model = AfterALayer(layer(), getattr(program(lab, file), name)())
            call = torch.compile(model, backend="aot_eager") if file == "solution" else model
            states.append(train(model, call, [(x,) for x in inputs]))
    torch.testing.assert_close(*states, rtol=1e-3, atol=1e-5)

"""Facts of the page "Compiled autograd" that no program of it asserts."""

import pytest
import torch
from torch._dynamo import config


def test_both_settings_are_off_by_default():
    assert config.compiled_autograd is False
    assert config.trace_autograd_ops is False


@pytest.mark.parametrize(("setting", "whole", "apart"), [("trace_autograd_ops", 3, 1), ("compiled_autograd", 4, 3)])
@pytest.mark.parametrize("optimizer_class", [torch.optim.SGD, torch.optim.AdamW])
def test_an_optimizer_breaks_the_graph(optimizer_class, setting, whole, apart):
    for update_inside, expected in ((True, whole), (False, apart)):
        model = torch.nn.Linear(4, 1)
        optimizer = optimizer_class(model.parameters(), lr=0.1)

        def update(optimizer=optimizer):
            optimizer.step()
            optimizer.zero_grad()

        def step(x, model=model, inside=update_inside, update=update):
            loss = model(x).square().mean()
            loss.backward()
            if inside:
                update()
            return loss.detach()

        torch.compiler.reset()
        torch._dynamo.utils.counters.clear()
        with config.patch({setting: True}):
            torch.compile(step, backend="aot_eager")(torch.ones(2, 4))
        assert torch._dynamo.utils.counters["stats"]["unique_graphs"] == expected

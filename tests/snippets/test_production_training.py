"""What docs/production/training.md recommends, and its snippets don't assert themselves."""

import pytest
import torch

from compile_lessons import keep_graphs


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.body = torch.nn.Linear(4, 4)
        self.head = torch.nn.Linear(4, 1)

    def forward(self, x):
        hidden = self.body(x)
        with torch.autocast("cpu", enabled=False):
            return self.head(hidden.float())


def gradient_of_head(model, call):
    model.zero_grad()
    (call(torch.ones(3, 4)).sum() * 65536).backward()
    return model.head.weight.grad.clone()


@pytest.mark.parametrize("dynamic", [False, True])
@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_autocast_inside_the_compiled_function_keeps_the_gradient(dtype, dynamic):
    """Outside of it, the gradient of the head is rounded, or infinite."""
    torch.manual_seed(0)
    model = Model()

    def inside(x):
        with torch.autocast("cpu", dtype=dtype):
            return model(x)

    def outside(x):
        with torch.autocast("cpu", dtype=dtype):
            return compiled_model(x)

    torch.compiler.reset()
    compiled_model = torch.compile(model, backend="aot_eager", dynamic=dynamic)
    expected = gradient_of_head(model, inside)
    assert torch.equal(gradient_of_head(model, torch.compile(inside, backend="aot_eager", dynamic=dynamic)), expected)
    assert not torch.equal(gradient_of_head(model, outside), expected)


def test_a_scheduler_warns_if_it_wraps_a_step_that_nothing_calls():
    model = torch.nn.Linear(4, 4)
    optimizer = torch.optim.AdamW(model.parameters())
    update = torch.compile(optimizer.step, backend="eager")
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=1)
    model(torch.ones(2, 4)).sum().backward()
    update()
    with pytest.warns(UserWarning, match=r"lr_scheduler.step\(\)` before `optimizer.step\(\)"):
        scheduler.step()


def test_the_scaler_calls_the_compiled_step():
    model = torch.nn.Linear(4, 4)
    optimizer = torch.optim.AdamW(model.parameters())
    kept = keep_graphs()
    optimizer.step = torch.compile(optimizer.step, backend=kept)
    scaler = torch.amp.GradScaler("cpu")
    scaler.scale(model(torch.ones(2, 4)).sum()).backward()
    scaler.step(optimizer)
    assert kept.runs

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


class Block(torch.nn.Module):
    def __init__(self, change):
        super().__init__()
        self.layer = torch.nn.Linear(4, 4)
        self.change = change
        self.calls = 0
        self.losses = []
        self.register_buffer("steps", torch.zeros(()))

    def forward(self, x):
        self.change(self)
        return self.layer(x).relu()


class Checkpointed(Block):
    def forward(self, x):
        return torch.utils.checkpoint.checkpoint(super().forward, x, use_reentrant=False)


def add_to_a_number(block):
    block.calls += 1


def append_to_a_list(block):
    block.losses.append(block.calls)


def assign_a_buffer(block):
    block.steps = block.steps + 1


def add_to_a_buffer(block):
    block.steps.add_(1)


@pytest.mark.parametrize("change", [add_to_a_number, append_to_a_list, assign_a_buffer, add_to_a_buffer])
def test_a_checkpointed_block_that_assigns_an_attribute_is_not_compiled(change):
    kept = keep_graphs("aot_eager")
    model = Checkpointed(change)
    torch.compile(model, backend=kept)(torch.ones(2, 4)).sum().backward()
    compiled = change is add_to_a_buffer
    assert len(kept.graphs) == compiled
    assert model.calls + len(model.losses) + int(model.steps) == (1 if compiled else 2)


def scaled_run(compile_parts, overflow):
    """Train with a scaler, clipping and a schedule; one batch overflows, and its update is skipped."""
    torch.manual_seed(0)
    model = torch.nn.Sequential(torch.nn.Linear(4, 8), torch.nn.GELU(), torch.nn.Linear(8, 1))
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.01)
    schedule = torch.optim.lr_scheduler.StepLR(optimizer, 1)
    scaler = torch.amp.GradScaler("cpu", init_scale=1024.0)

    def loss_of(x):
        with torch.autocast("cpu", dtype=torch.float16):
            return model(x).float().square().mean()

    if compile_parts:
        loss_of = torch.compile(loss_of, backend="aot_eager")
        optimizer.step = torch.compile(optimizer.step, backend="aot_eager")
    states = []
    for step, rows in enumerate((4, 4, 6)):
        x = torch.ones(rows, 4) * (1e30 if step == overflow else step + 1)
        scaler.scale(loss_of(x)).backward()
        scaler.unscale_(optimizer)
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        scaler.step(optimizer)
        scaler.update()
        optimizer.zero_grad()
        schedule.step()
        states.append([parameter.detach().clone() for parameter in model.parameters()])
    return states, scaler.get_scale()


@pytest.mark.parametrize("overflow", [None, 1])
def test_a_compiled_loss_and_update_train_with_a_scaler_and_a_schedule(overflow):
    states, scale = scaled_run(compile_parts=True, overflow=overflow)
    expected, expected_scale = scaled_run(compile_parts=False, overflow=overflow)
    torch.testing.assert_close(states, expected, rtol=1e-3, atol=1e-4)
    assert scale == expected_scale

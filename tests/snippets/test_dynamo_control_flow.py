"""Facts of docs/dynamo/control-flow.md that its snippets don't assert."""

import pytest
import torch
from torch._higher_order_ops.scan import scan

from compile_lessons import keep_graphs
from training import assert_trains_like_eager

HERE = "dynamo/control_flow/"


def test_the_error_names_the_value_that_grew(record):
    assert "pair[0] differ in 'shape:" in record(HERE + "loop_shape.py").text


def test_map_and_scan_under_inductor(record):
    lines = record(HERE + "inductor.py").text.splitlines()
    assert "DataDependentOutputException" in lines[0]
    assert "(4, 3)" in lines[1]
    assert "alias" in lines[2]


class Gated(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.adapter = torch.nn.Linear(4, 4)

    def forward(self, x, gate):
        return torch.cond(gate > 0, self.adapter, torch.clone, (x,))


@pytest.fixture
def model():
    return Gated()


def gradient_of_the_adapter(model, gate):
    compiled = torch.compile(model, backend="eager", fullgraph=True)
    compiled(torch.ones(2, 4), torch.tensor(gate)).sum().backward()
    return model.adapter.weight.grad


def test_an_open_gate_gives_the_adapter_gradients(model):
    assert gradient_of_the_adapter(model, 1.0).any()


def test_a_closed_gate_gives_zeros_where_a_plain_if_leaves_none(model):
    gradient = gradient_of_the_adapter(model, -1.0)
    assert gradient is not None
    assert not gradient.any()


def works_as_a_branch(branch):
    torch.compiler.reset()
    x = torch.ones(2, 4, requires_grad=True)

    def step(x):
        return torch.cond(x.sum() > 0, branch, torch.clone, (x,))

    try:
        return torch.compile(step, backend="aot_eager", fullgraph=True)(x).shape == x.shape
    except RuntimeError:
        return False


def test_batch_norm_works_as_a_branch_only_in_evaluation():
    norm = torch.nn.BatchNorm1d(4)
    assert not works_as_a_branch(norm)
    assert works_as_a_branch(norm.eval())


def test_under_autocast_a_branch_has_to_return_the_dtype_of_its_input(model):
    with torch.autocast("cpu", dtype=torch.bfloat16):
        assert not works_as_a_branch(model.adapter)
        assert works_as_a_branch(lambda x: model.adapter(x).to(x.dtype))


def test_only_the_branch_that_is_taken_runs():
    runs = []

    @torch.library.custom_op("course::expensive", mutates_args=())
    def expensive(x: torch.Tensor) -> torch.Tensor:
        runs.append(x)
        return x * x

    @expensive.register_fake
    def _(x):
        return torch.empty_like(x)

    kept = keep_graphs()
    step = torch.compile(lambda x: torch.cond(x.sum() > 0, expensive, torch.neg, (x,)), backend=kept, fullgraph=True)
    for value in (3.0, -3.0):
        step(torch.full((2,), value))
    assert len(kept.graphs) == 1
    assert len(runs) == 1


def test_the_cell_that_inductor_rejects_works_without_inductor():
    weight = torch.rand(3, 3, requires_grad=True)

    def cell(h, row):
        h = torch.tanh(h @ weight + row)
        return h, h.clone()

    compiled = torch.compile(lambda x: scan(cell, torch.zeros(3), x)[1], backend="aot_eager", fullgraph=True)
    assert compiled(torch.ones(4, 3)).shape == (4, 3)


class DoublesUntil(torch.nn.Module):
    """Has the loop twice: in Python, and as ``while_loop`` with the page's fix."""

    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(4, 4)

    def forward(self, x):
        x = self.linear(x).abs() + 0.1
        while x.sum() < 100:
            x = x * 2
        return x + 0

    def by_while_loop(self, x):
        x = self.linear(x).abs() + 0.1
        start = (torch.tensor(0), x)
        rounds, doubled = torch.while_loop(
            lambda rounds, x: x.sum() < 100, lambda rounds, x: (rounds + 1, x * 2), start
        )
        return torch.where(rounds > 0, doubled, x)


def test_a_while_loop_that_may_run_no_iteration_trains_with_where():
    batches = [(torch.rand(2, 4),), (torch.rand(3, 4) * 300,), (torch.rand(5, 4) * 400,)]
    assert_trains_like_eager(
        DoublesUntil, batches, lambda model: torch.compile(model.by_while_loop, backend="aot_eager", fullgraph=True)
    )


class Recurrent(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.rand(4, 4))

    def cell(self, h, row):
        h = torch.tanh(h @ self.weight + row)
        return h.clone(), h.clone()

    def forward(self, x):
        h = torch.zeros(4)
        states = []
        for row in x:
            h, state = self.cell(h, row)
            states.append(state)
        return torch.stack(states)

    def by_scan(self, x):
        return scan(self.cell, torch.zeros(4), x)[1]


def test_a_scan_with_copies_of_its_state_trains_like_a_loop():
    batches = [(torch.rand(length, 4),) for length in (3, 5, 4)]
    assert_trains_like_eager(
        Recurrent, batches, lambda model: torch.compile(model.by_scan, backend="aot_eager", fullgraph=True)
    )

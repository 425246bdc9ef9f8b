"""What docs/dynamo/recompiles.md states and its snippets don't assert themselves."""

import pytest
import torch
from torch._dynamo.utils import counters


def test_the_log_names_the_failed_guard(record):
    text = record("dynamo/recompiles/why.py").text
    assert "0/0: tensor 'x' size mismatch at index 0. expected 32, actual 20" in text
    assert text.count("self.training == True") == 2


def test_the_warning_comes_before_the_first_call_in_eager_mode(record):
    text = record("dynamo/recompiles/limit.py").text
    assert text.index("torch._dynamo hit config.recompile_limit (2)") < text.index("-> abcd: eager mode")


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("name", "options", "graphs"),
    [
        *((name, {}, 5) for name in ("RMSprop", "Adadelta")),
        *((name, {"foreach": True}, 5) for name in ("AdamW", "NAdam", "RAdam")),
        *((name, {}, 2) for name in ("AdamW", "NAdam", "RAdam", "Adagrad")),
    ],
)
def test_a_float_learning_rate_that_changes_five_times(name, options, graphs):
    model = torch.nn.Linear(4, 4)
    model(torch.ones(1, 4)).sum().backward()
    optimizer = getattr(torch.optim, name)(model.parameters(), lr=0.01, **options)
    assert _graphs_of_five_steps(optimizer) == graphs
    if not (options and name == "AdamW"):  # it would need capturable=True
        for group in optimizer.param_groups:
            group["lr"] = torch.tensor(0.01)
        assert _graphs_of_five_steps(optimizer) == 1


def _graphs_of_five_steps(optimizer):
    torch.compiler.reset()
    counters.clear()
    scheduler = torch.optim.lr_scheduler.ExponentialLR(optimizer, gamma=0.9)
    step = torch.compile(optimizer.step, backend="aot_eager")
    for _ in range(5):
        step()
        scheduler.step()
    return counters["stats"]["unique_graphs"]


@pytest.mark.nightly
def test_a_float_in_an_operator_recompiles_for_each_value():
    def count(function):
        torch.compiler.reset()
        counters.clear()
        compiled = torch.compile(function, backend="aot_eager")
        for step in range(1, 5):
            compiled(torch.ones(3), step / 10)
        return counters["stats"]["unique_graphs"]

    assert [count(use) for use in (lambda x, p: x > p, lambda x, p: x * p**2, lambda x, p: x / p + p)] == [2, 2, 2]
    uses = [
        lambda x, p: torch.where(x > 0, x, p),
        lambda x, p: x.masked_fill(x > 0, p),
        lambda x, p: x**p,
        lambda x, p: torch.add(x, x, alpha=p),
        lambda x, p: x * torch.tensor(p),
        lambda x, p: x * int(p * 10),
        lambda x, p: (x * p).clamp(max=p),
    ]
    assert [count(use) for use in uses] == [4] * len(uses)


@pytest.mark.nightly
def test_nan_needs_its_own_version():
    torch.compiler.reset()
    graphs = []
    compiled = torch.compile(lambda x, c: x * c, backend=lambda graph, inputs: graphs.append(graph) or graph.forward)
    counts = []
    for number in (0.5, 1.5, float("nan"), float("inf"), 2.5):
        compiled(torch.ones(3), number)
        counts.append(len(graphs))
    assert counts == [1, 2, 3, 3, 3]


def test_defaults_of_the_limits():
    from torch._dynamo import config

    assert config.cache_size_limit == config.recompile_limit == 8
    assert config.accumulated_recompile_limit > 8 and config.fail_on_recompile_limit_hit is False


def test_blocks_that_get_their_entry_share_a_version():
    class Block(torch.nn.Linear):
        def forward(self, x, scale):
            return super().forward(x) * scale

    torch.compiler.reset()
    counters.clear()
    with torch.no_grad():
        for i in range(12):
            block = Block(8, 8)
            block.key = f"blocks.{i}"
            block.compile(backend="eager")
            block(torch.ones(2, 8), torch.ones(8))
    assert counters["stats"]["unique_graphs"] == 1


@pytest.mark.parametrize(("padded", "graphs"), [(False, 5), (True, 1)])
def test_adapters_that_are_padded_with_zeros_share_a_version(padded, graphs):
    """The padding must not change the result."""

    class Slot(torch.nn.Module):
        def forward(self, x):
            return x @ self.down @ self.up

    model, x = Slot(), torch.randn(2, 8)
    compiled = torch.compile(model, backend="eager")
    torch.compiler.reset()
    counters.clear()
    for rank in range(2, 7):
        down, up = torch.randn(8, rank), torch.randn(rank, 8)
        expected = x @ down @ up
        if padded:
            down = torch.nn.functional.pad(down, (0, 6 - rank))
            up = torch.nn.functional.pad(up, (0, 0, 0, 6 - rank))
        model.down, model.up = torch.nn.Parameter(down), torch.nn.Parameter(up)
        with torch.no_grad():
            torch.testing.assert_close(compiled(x), expected)
    assert counters["stats"]["unique_graphs"] == graphs

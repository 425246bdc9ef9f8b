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

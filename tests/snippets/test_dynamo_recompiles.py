"""What docs/dynamo/recompiles.md states and its snippets don't assert themselves."""

import pytest
import torch


def test_the_log_names_the_failed_guard(record):
    text = record("dynamo/recompiles/why.py").text
    assert "0/0: tensor 'x' size mismatch at index 0. expected 32, actual 20" in text
    assert text.count("self.training == True") == 2


def test_the_warning_comes_before_the_first_call_in_eager_mode(record):
    text = record("dynamo/recompiles/limit.py").text
    assert text.index("torch._dynamo hit config.recompile_limit (2)") < text.index("-> abcd: eager mode")


@pytest.mark.nightly
@pytest.mark.parametrize("name", ["SGD", "AdamW", "RMSprop", "Adagrad", "NAdam"])
def test_a_learning_rate_schedule_needs_two_graphs(name):
    torch.compiler.reset()
    graphs, model = [], torch.nn.Linear(4, 4)
    model(torch.ones(1, 4)).sum().backward()
    optimizer = getattr(torch.optim, name)(model.parameters(), lr=0.01)
    scheduler = torch.optim.lr_scheduler.ExponentialLR(optimizer, gamma=0.9)
    step = torch.compile(optimizer.step, backend=lambda graph, inputs: graphs.append(graph) or graph.forward)
    for _ in range(5):
        step()
        scheduler.step()
    assert len(graphs) == 2


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
